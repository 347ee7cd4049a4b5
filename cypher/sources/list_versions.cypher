// List versions of a source without their texts, the newest first, as recorded by an instant.
// params: source_key, known_at, page
// columns: source_id, tx, valid_from, valid_to, recorded_at, observed_at, ends, corrects_tx, override_only, removal, origin, text
// access: read
MATCH (v:SourceVersion)
WHERE v.source_key = $source_key AND v.tx >= 0 AND v.recorded_at <= $known_at
RETURN v.source_id AS source_id, v.tx AS tx, v.valid_from AS valid_from, v.valid_to AS valid_to,
       v.recorded_at AS recorded_at, v.observed_at AS observed_at, v.ends AS ends,
       v.corrects_tx AS corrects_tx, v.override_only AS override_only,
       CASE WHEN v.tombstoned_at <= $known_at THEN v.removal END AS removal,
       v.origin AS origin, null AS text
ORDER BY v.source_key DESC, v.tx DESC LIMIT $page
