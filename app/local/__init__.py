"""The embedded Neo4j, Valkey, worker and beat."""
