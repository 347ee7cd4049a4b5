// What as-of reads seek: all that decides about a tile is in the index, so none is read in vain. Every
// statement may run again.
CREATE INDEX telha_won_source_key_tx_from_tx_to_valid_from_valid_to_index IF NOT EXISTS
FOR ()-[r:WON]-() ON (r.source_key, r.tx_from, r.tx_to, r.valid_from, r.valid_to);
CREATE INDEX telha_won_source_key_valid_from_tx_from_tx_to_valid_to_index IF NOT EXISTS
FOR ()-[r:WON]-() ON (r.source_key, r.valid_from, r.tx_from, r.tx_to, r.valid_to);
DROP INDEX telha_won_source_key_tx_from_index IF EXISTS;
