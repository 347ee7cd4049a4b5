// Verdicts of rule 4, kept under a digest of all that was read for them. Every statement may run again.
CREATE CONSTRAINT telha_verification_tenant_digest_key IF NOT EXISTS
FOR (n:Verification) REQUIRE (n.tenant, n.digest) IS UNIQUE;
