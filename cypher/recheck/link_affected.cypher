// Tie new versions of answers, of this transaction, to the winners that displaced their citations.
// params: tenant, rows
// columns: none
// access: write
UNWIND $rows AS r
WITH DISTINCT r
MATCH (v:AnswerVersion {tenant: $tenant, answer_id: r.answer_id, seq: r.seq})
MATCH (n:SourceVersion {source_key: r.source_key, tx: r.winning_tx})
CREATE (v)-[:AFFECTED_BY {idx: r.idx}]->(n)
