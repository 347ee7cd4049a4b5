// Read who wins at an instant, as known now; no row where nobody does.
// params: source_key, at
// columns: tx, valid_from
// access: read
MATCH ()-[w:WINS]->(v)
WHERE w.source_key = $source_key AND w.valid_from <= $at
WITH w, v ORDER BY w.source_key DESC, w.valid_from DESC LIMIT 1
WHERE w.valid_to > $at
RETURN v.tx AS tx, v.valid_from AS valid_from
