// Read one version of a source whole.
// params: source_key, tx
// columns: source_id, tx, valid_from, valid_to, recorded_at, observed_at, ends, corrects_tx, override_only, removal, origin, text
// access: read
MATCH (v:SourceVersion {source_key: $source_key, tx: $tx})
RETURN v.source_id AS source_id, v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       v.recorded_at AS recorded_at, v.observed_at AS observed_at, v.ends AS ends,
       v.corrects_tx AS corrects_tx, v.override_only AS override_only, v.removal AS removal,
       v.origin AS origin, v.text AS text
