// Read a trace with how it was made, and its claims with evidence coordinates and pending clarifications.
// params: tenant, trace_id
// columns: question, draft, valid_time, tx_time, source_ids, model, prompt_version, retriever_version, chunker_version, embedding_model, tokens_in, tokens_out, embeddings, cost_micros, claims
// access: read
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
RETURN t.question AS question, t.draft AS draft, t.valid_time AS valid_time, t.tx_time AS tx_time,
       coalesce(t.source_ids, []) AS source_ids, t.model AS model, t.prompt_version AS prompt_version,
       t.retriever_version AS retriever_version, t.chunker_version AS chunker_version,
       t.embedding_model AS embedding_model, t.tokens_in AS tokens_in, t.tokens_out AS tokens_out,
       t.embeddings AS embeddings, t.cost_micros AS cost_micros,
       COLLECT { MATCH (t)-[:MAKES]->(c:Claim)
                 RETURN {idx: c.idx, text: c.text, verdict: c.verdict,
                         evidence: COLLECT { MATCH (c)-[x:CITES]->(v:SourceVersion)
                                             RETURN [v.source_id, v.tx, x.start, x.end]
                                             ORDER BY v.source_id, v.tx, x.start },
                         pending: COLLECT { MATCH (c)-[:PENDING_ON]->(k:Clarification)
                                            RETURN k.clarification_id ORDER BY k.clarification_id }}
                 ORDER BY c.idx } AS claims
