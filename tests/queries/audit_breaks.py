"""Ways to break a healthy graph by hand, each with the invariant that must see it.

Every text runs in a transaction of its own on the graph of ``audit_story`` and is rolled back.
"""

from dataclasses import dataclass

_ANSWER = "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer})"
_UNCHECKED = "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $unchecked})"
_DELETED = "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $deleted})"
_VERSION = "MATCH (v:AnswerVersion {tenant: $tenant, answer_id: $answer, seq: 2})"
_NEWEST = f"{_ANSWER} MATCH (a)-[h:HEAD]->(v)"
_CAP = "MATCH (s:Source {tenant: $tenant, source_id: 'cap'})"
_SKY = "MATCH (s:Source {tenant: $tenant, source_id: 'sky'})"
_CAP_CHAIN = f"{_CAP}<-[:VERSION_OF]-(v:SourceVersion) WITH s, v ORDER BY v.tx DESC"
_RATES = "MATCH (s:Source {tenant: $tenant, source_id: 'rates'})"
_TILE = f"{_RATES}-[w:WINS]->(v) WITH s, w, v ORDER BY w.valid_from LIMIT 1"
_TILE_LOST = f"{_TILE} MATCH (v)<-[own:WINS]-() DELETE own"
_NO_JOBS = "WITH DISTINCT 1 AS _ MATCH (j:Job {tenant: $tenant}) DETACH DELETE j"
_EVENTS = "MATCH (e:Emit {tenant: $tenant, answer_id: $answer, state: 'emitted'})"
_WINDOW = "MATCH (e:Emit {tenant: $tenant, open_for: $answer})"
_WATCH = f"{_ANSWER}<-[:FOR]-(n:Watch)"
_QUESTION = "MATCH (k:Clarification {tenant: $tenant, clarification_id: 'q1'})"


@dataclass(frozen=True)
class Break:
    """A text that breaks an invariant, and a word of what must be told (any column)."""

    invariant: str
    name: str
    text: str
    told: str = ""


BREAKS = (
    # Answers and their versions
    Break(
        "heads_equal_newest", "status", f"{_ANSWER} SET a.status = 'conflicted'", "status differs"
    ),
    Break("heads_equal_newest", "caveat", f"{_ANSWER} SET a.caveats = ['x']", "caveats differs"),
    Break("heads_equal_newest", "deleted", f"{_ANSWER} SET a.deleted_at = 1", "deleted_at differs"),
    Break("heads_equal_newest", "seq", f"{_ANSWER} SET a.seq = a.seq + 1", "versions up to"),
    Break("heads_equal_newest", "changed", f"{_ANSWER} SET a.changed_at = 1", "not its newest"),
    Break("heads_equal_newest", "headless", f"{_NEWEST} DELETE h", "0 heads"),
    Break(
        "heads_equal_newest",
        "two heads",
        f"{_ANSWER} {_VERSION} CREATE (a)-[:HEAD]->(v)",
        "2 heads",
    ),
    Break(
        "heads_equal_newest",
        "old head",
        f"{_NEWEST} MATCH (v)-[:PREVIOUS]->(old) DELETE h CREATE (a)-[:HEAD]->(old)",
        "not its newest",
    ),
    Break("heads_equal_newest", "gap", f"{_VERSION} DETACH DELETE v", "does not follow"),
    Break(
        "heads_equal_newest",
        "unlinked",
        f"{_VERSION} MATCH (v)-[p:PREVIOUS]->() DELETE p",
        "version 2 does not follow",
    ),
    Break(
        "heads_equal_newest",
        "skipping",
        f"{_VERSION} MATCH (newer)-[p:PREVIOUS]->(v)-[:PREVIOUS]->(older) DELETE p "
        "CREATE (newer)-[:PREVIOUS]->(older)",
        "version 3",
    ),
    Break("heads_equal_newest", "order", f"{_VERSION} SET v.recorded_at = 1", "version 2"),
    Break("status_equals_fold", "status", f"{_VERSION} SET v.status = 'conflicted'", "pending"),
    Break(
        "status_equals_fold",
        "states",
        f"{_VERSION} SET v.claim_states = ['unheard of', 'unheard of', 'unheard of']",
        "stale",
    ),
    Break(
        "status_equals_fold",
        "superseded by nothing",
        f"{_NEWEST} SET a.status = 'superseded', v.status = 'superseded'",
        "superseded by nothing",
    ),
    Break(
        "status_equals_fold",
        "not superseded",
        f"{_ANSWER} {_UNCHECKED.replace('(a:', '(b:')} CREATE (b)-[:SUPERSEDES]->(a)",
        "superseded",
    ),
    Break(
        "status_equals_fold",
        "claims",
        f"{_ANSWER}-[:PINS]->(:Trace)-[m:MAKES]->(:Claim) WITH m LIMIT 1 DELETE m",
        "claims",
    ),
    # Tiles
    Break("tiles_gap_free", "gap", f"{_TILE} DELETE w", "not the winner"),
    Break(
        "tiles_gap_free", "short", f"{_TILE} SET w.valid_to = w.valid_from + 1", "not the winner"
    ),
    Break("tiles_gap_free", "empty", f"{_TILE} SET w.valid_to = w.valid_from", "empty window"),
    Break("tiles_gap_free", "overlap", f"{_TILE} SET w.valid_to = w.valid_to + 1", "overlaps"),
    Break("tiles_gap_free", "key", f"{_TILE} SET w.source_key = 'x'", "key of another source"),
    Break(
        "tiles_gap_free",
        "wrong winner",
        f"{_TILE} MATCH (s)<-[:VERSION_OF]-(other) WHERE other <> v "
        "WITH s, w, other, properties(w) AS held LIMIT 1 DELETE w "
        "CREATE (s)-[n:WINS]->(other) SET n = held",
        "not the winner",
    ),
    Break(
        "tiles_gap_free",
        "nobody wins after an end",
        "MATCH (s:Source {tenant: $tenant, source_id: 'ended'})<-[:VERSION_OF]-(v) "
        "WITH s, v ORDER BY v.tx DESC WITH s, collect(v) AS all WITH s, all[0] AS end, all[1] AS v "
        "CREATE (s)-[:WINS {source_key: s.source_key, valid_from: end.valid_from, "
        "valid_to: end.valid_to, tx_from: 1}]->(v)",
        "not the winner",
    ),
    Break(
        "tiles_gap_free",
        "released without a cut",
        "MATCH (o:Override {tenant: $tenant}) WHERE o.released_at IS NULL SET o.released_at = 1",
        "not the winner",
    ),
    Break(
        "tiles_gap_free",
        "set without a cut",
        "MATCH (o:Override {tenant: $tenant}) WHERE o.released_at > 0 SET o.released_at = null",
        "not the winner",
    ),
    Break(
        "tiles_gap_free",
        "withdrawn without a cut",
        f"{_TILE} SET v.removal = 'withdrawn', v.competes = false",
        "not the winner",
    ),
    Break(
        "tiles_gap_free",
        "blank without a cut",
        f"{_TILE} SET v.removal = 'erasure'",
        "not the winner",
    ),
    Break(
        "won_never_overlaps",
        "closed too late",
        f"{_RATES}-[w:WON]->() SET w.tx_to = w.tx_to + 1000000000",
        "WON",
    ),
    Break(
        "won_never_overlaps",
        "known too early",
        f"{_RATES}-[w:WINS]->() WITH w ORDER BY w.valid_from DESC LIMIT 1 SET w.tx_from = 0",
        "WON",
    ),
    Break(
        "won_never_overlaps",
        "won twice",
        f"{_RATES}-[w:WON]->(v) WITH s, w, v LIMIT 1 CREATE (s)-[n:WON]->(v) SET n = properties(w)",
        "WON",
    ),
    Break("won_never_overlaps", "wins twice", f"{_TILE} SET w.valid_to = w.valid_to + 1", "WINS"),
    Break(
        "won_never_overlaps",
        "crossing",
        f"{_TILE} CREATE (s)-[:WON {{source_key: s.source_key, valid_from: w.valid_from - 1, "
        "valid_to: w.valid_from + 1, tx_from: w.tx_from + 5, tx_to: w.tx_from + 6}]->(v)",
        "WON",
    ),
    # The chain of a source, and who competes
    Break("chain_in_tx_order", "cut", f"{_CAP_CHAIN} LIMIT 1 MATCH (v)-[p:PREVIOUS]->() DELETE p"),
    Break(
        "chain_in_tx_order",
        "branch",
        f"{_CAP_CHAIN} WITH collect(v) AS all WITH all[0] AS v, all[-1] AS first "
        "CREATE (v)-[:PREVIOUS]->(first)",
    ),
    Break(
        "chain_in_tx_order",
        "order",
        f"{_CAP_CHAIN} LIMIT 1 MATCH (v)-[p:PREVIOUS]->(o) DELETE p CREATE (o)-[:PREVIOUS]->(v)",
    ),
    Break("chain_in_tx_order", "newest", f"{_CAP} SET s.last_tx = 0"),
    Break(
        "chain_in_tx_order", "observed", f"{_CAP_CHAIN} LIMIT 1 SET v.observed_at = s.last_tx + 1"
    ),
    Break(
        "candidates_equal_definition", "more", f"{_CAP}<-[:VERSION_OF]-(v) SET v.competes = true"
    ),
    Break(
        "candidates_equal_definition", "fewer", f"{_SKY}<-[:VERSION_OF]-(v) SET v.competes = false"
    ),
    Break(
        "candidates_equal_definition",
        "untied",
        f"{_CAP}<-[:VERSION_OF]-()-[c:CORRECTS]->() DELETE c",
    ),
    Break(
        "candidates_equal_definition",
        "unnamed",
        f"{_CAP}<-[:VERSION_OF]-(v)-[:CORRECTS]->() SET v.corrects_tx = null",
    ),
    Break(
        "candidates_equal_definition",
        "removed",
        f"{_SKY}<-[:VERSION_OF]-(v) WHERE v.competes SET v.removal = 'withdrawn'",
    ),
    # Changes and who attends to them
    Break(
        "changes_without_gap",
        "lost",
        f"{_CAP}<-[:CHANGED]-(c {{seq: 1}}) DETACH DELETE c",
        "from 2",
    ),
    Break("changes_without_gap", "raised", f"{_CAP} SET s.tiles_seq = s.tiles_seq + 1", "changes"),
    Break(
        "changes_without_gap", "untied", f"{_CAP}<-[x:CHANGED]-({{seq: 1}}) DELETE x", "not tied"
    ),
    Break(
        "changes_without_gap", "asked", f"{_QUESTION}<-[:CHANGED]-(c) DETACH DELETE c", "0 changes"
    ),
    Break(
        "changes_without_gap", "state", f"{_QUESTION} SET k.state = 'withdrawn'", "how it stands"
    ),
    Break(
        "changes_without_gap", "states", f"{_QUESTION}-[x:STATE]->({{seq: 1}}) DELETE x", "numbered"
    ),
    Break(
        "changes_unattended",
        "claimed without a job",
        f"MATCH (c:Change {{tenant: $tenant, state: 'open'}}) SET c.state = 'done' {_NO_JOBS}",
    ),
    Break(
        "changes_unattended",
        "first check lost",
        f"{_UNCHECKED} MATCH (c:Change {{tenant: $tenant}}) SET c.state = 'done' {_NO_JOBS}",
    ),
    Break(
        "changes_unattended", "not covered", f"{_ANSWER} SET a.checked_seqs = [9, 9, 0] {_NO_JOBS}"
    ),
    # Watches
    Break(
        "watches_equal_dependencies",
        "missing",
        f"{_WATCH}-[x:WATCHES]->(:Source) WITH x LIMIT 1 DELETE x",
        "cap",
    ),
    Break(
        "watches_equal_dependencies",
        "needless",
        f"{_WATCH} MATCH (s:Source {{tenant: $tenant, source_id: 'ended'}}) "
        "CREATE (n)-[:WATCHES {idx: 9}]->(s)",
        "ended",
    ),
    Break(
        "watches_equal_dependencies", "places", f"{_WATCH}-[x:WATCHES]->() SET x.idx = 7 - x.idx"
    ),
    Break("watches_equal_dependencies", "none", f"{_WATCH} DETACH DELETE n", "0 watches"),
    Break(
        "watches_equal_dependencies",
        "two",
        f"{_ANSWER} CREATE (:Watch {{tenant: $tenant, watch_id: 'w2'}})-[:FOR]->(a)",
        "2 watches",
    ),
    Break("watches_equal_dependencies", "seqs", f"{_ANSWER} SET a.checked_seqs = [1]", "seqs"),
    Break(
        "watches_equal_dependencies", "ahead", f"{_ANSWER} SET a.checked_seqs = [99, 1, 1]", "seqs"
    ),
    Break(
        "watches_equal_dependencies",
        "still attached",
        f"{_DELETED}<-[:FOR]-(n:Watch) SET n.detached_at = null",
        "1 watches",
    ),
    # Events
    Break("emits_and_transitions", "window", f"{_WINDOW} DETACH DELETE e", "does not exist"),
    Break("emits_and_transitions", "opened", f"{_WINDOW} SET e.opened_seq = 99", "no transition"),
    Break("emits_and_transitions", "untold", f"{_VERSION} SET v.emit_id = null", "to no window"),
    Break(
        "emits_and_transitions", "open", f"{_WINDOW} SET e.open_for = null", "what its state says"
    ),
    Break(
        "emits_and_transitions", "closed", f"{_WINDOW} SET e.state = 'emitted'", "what its state"
    ),
    Break("emits_and_transitions", "gap", f"{_EVENTS} SET e.number = e.number + 1", "is number 1"),
    Break(
        "emits_and_transitions",
        "from",
        f"{_EVENTS} WITH e ORDER BY e.number DESC LIMIT 1 SET e.from_status = 'current'",
        "does not go on",
    ),
    Break(
        "emits_and_transitions", "first", f"{_EVENTS} SET e.from_status = 'stale'", "does not go on"
    ),
    Break("emits_and_transitions", "count", f"{_ANSWER} SET a.emit_number = 9", "emit_number 9"),
    Break("emits_and_transitions", "reported", f"{_ANSWER} SET a.emitted_seq = 1", "last reported"),
    Break("emits_and_transitions", "about", f"{_WINDOW}-[x:ABOUT]->() DELETE x", "about no answer"),
    # The tenant
    Break(
        "live_answers_counted",
        "count",
        "MATCH (n:Tenant {tenant: $tenant}) SET n.answers_live = 99",
    ),
    Break("live_answers_counted", "counter", "MATCH (n:Tenant {tenant: $tenant}) DETACH DELETE n"),
    Break("live_answers_counted", "free", f"{_ANSWER} SET a.live_trace = null"),
    Break("live_answers_counted", "held", f"{_DELETED} SET a.live_trace = 'x'"),
    Break(
        "tenant_boundaries",
        "joined",
        f"{_CAP} MATCH (o:Source {{tenant: $other}}) CREATE (s)-[:ABOUT]->(o)",
        "joins another tenant",
    ),
    Break("tenant_boundaries", "moved", f"{_VERSION} SET v.tenant = 'x'", "joins another tenant"),
    Break(
        "tenant_boundaries", "nobody's", f"{_VERSION} SET v.tenant = null", "joins another tenant"
    ),
    Break("tenant_boundaries", "key", f"{_CAP} SET s.source_key = 'x'", "key of another source"),
    Break(
        "tenant_boundaries",
        "override",
        "MATCH (o:Override {tenant: $tenant}) WITH o LIMIT 1 SET o.source_key = 'x'",
        "key of another source",
    ),
    # The index
    Break("index_follows_winners", "uncut", f"{_TILE} SET v.chunked_by = null", "is not cut"),
    Break("index_follows_winners", "lost", _TILE_LOST, "wins nowhere"),
    Break(
        "index_follows_winners",
        "orphan",
        f"{_RATES}-[:WINS]->()-[h:HOLDS]->() WITH h LIMIT 1 DELETE h",
        "held by no version",
    ),
    # Properties (each of the schema's is tried by a test of its own)
    Break(
        "required_properties",
        "label",
        f"{_CAP} CREATE (:Nonsense {{tenant: $tenant}})-[:ABOUT]->(s)",
    ),
    Break("required_properties", "text", f"{_TILE} SET v.text = null", "text"),
    Break("required_properties", "covered", f"{_ANSWER} SET a.checked_seqs = null", "checked_seqs"),
    Break("required_properties", "live", f"{_ANSWER} SET a.live_trace = null", "live_trace"),
    Break("required_properties", "number", f"{_EVENTS} SET e.number = null", "number"),
    Break("required_properties", "open for", f"{_WINDOW} SET e.open_for = null", "open_for"),
    Break("required_properties", "removal", f"{_TILE} SET v.removal = 'erasure'", "tombstoned_at"),
)
