// Note on a trace how it was made: in which sources (none named: all) and by what, and what that cost.
// params: tenant, trace_id, source_ids, model, prompt_version, retriever_version, chunker_version, embedding_model, tokens_in, tokens_out, embeddings, cost_micros
// columns: none
// access: write
MATCH (t:Trace {tenant: $tenant, trace_id: $trace_id})
SET t.source_ids = $source_ids, t.model = $model, t.prompt_version = $prompt_version, t.retriever_version = $retriever_version,
    t.chunker_version = $chunker_version, t.embedding_model = $embedding_model,
    t.tokens_in = $tokens_in, t.tokens_out = $tokens_out, t.embeddings = $embeddings,
    t.cost_micros = $cost_micros
