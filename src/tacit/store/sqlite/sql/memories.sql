-- get: one by its id
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories WHERE id = :id;

-- named: those whose id begins so
SELECT id FROM memories WHERE id >= :name AND id < :beyond ORDER BY id LIMIT 2;

-- put: a memory, as it stands now
INSERT INTO memories
(id, kind, content, statement, importance, confidence, tags, project, origin, via, session, turn, quote,
topic, extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned, is_supported,
is_accepted, sessions)
VALUES
(:id, :kind, :content, :statement, :importance, :confidence, :tags, :project, :origin, :via, :session, :turn,
:quote, :topic, :extractor, :created_at, :valid_from, :valid_to, :superseded_by, :state, :reason, :pinned,
:is_supported, :is_accepted, :sessions)
ON CONFLICT (id) DO UPDATE SET
    kind = excluded.kind, content = excluded.content, statement = excluded.statement,
    importance = excluded.importance, confidence = excluded.confidence, tags = excluded.tags,
    project = excluded.project, origin = excluded.origin, via = excluded.via, session = excluded.session,
    turn = excluded.turn, quote = excluded.quote, topic = excluded.topic, extractor = excluded.extractor,
    created_at = excluded.created_at, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
    superseded_by = excluded.superseded_by, state = excluded.state, reason = excluded.reason,
    pinned = excluded.pinned, is_supported = excluded.is_supported, is_accepted = excluded.is_accepted,
    sessions = excluded.sessions;

-- drop_tags: before they are written anew
DELETE FROM tags WHERE memory = :id;

-- put_tag: one of them
INSERT INTO tags (memory, tag) VALUES (:id, :tag);

-- remove: as if it had never been
DELETE FROM memories WHERE id = :id;

-- statement_of: the digest of what one says
SELECT statement FROM memories WHERE id = :id;

-- remove_evidence: before the memory itself
DELETE FROM evidence WHERE memory = :id;

-- stating: which say the same, by the digest of the statement
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories WHERE statement = :statement ORDER BY valid_from, id;

-- about: which are about the same topic
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories WHERE topic = :topic AND topic <> '' ORDER BY valid_from, id;

-- superseded_by: which this one has replaced
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories WHERE superseded_by = :id ORDER BY valid_from, id;

-- wanted: those that fit all that was asked, the newest first
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories
WHERE (:kinds IS NULL OR kind IN (SELECT value FROM JSON_EACH(:kinds)))
    AND (:states IS NULL OR state IN (SELECT value FROM JSON_EACH(:states)))
    AND (:origins IS NULL OR origin IN (SELECT value FROM JSON_EACH(:origins)))
    AND (:projects IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects)))
    AND (:is_everywhere IS NULL OR (project IS NULL) = :is_everywhere)
    AND (:session IS NULL OR id IN (SELECT memory FROM evidence WHERE session = :session))
    AND (:origin_prefix IS NULL OR SUBSTR(origin, 1, LENGTH(:origin_prefix)) = :origin_prefix)
    AND (:tag IS NULL OR id IN (SELECT memory FROM tags WHERE tag = :tag))
    AND (:text IS NULL OR INSTR(content, :text) > 0)
    AND (:before IS NULL OR created_at < :before)
    AND (:as_of IS NULL OR (valid_from <= :as_of AND (valid_to IS NULL OR valid_to > :as_of)))
    AND (:is_pinned IS NULL OR pinned = :is_pinned)
    AND (:ended IS NULL OR valid_to < :ended)
ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset;

-- known_in: what holds in a project, the newest first
SELECT id, kind, content, origin, session FROM memories
WHERE project = :project AND +state IN ('active', 'candidate') AND NOT (session IS :session AND turn IS :turn)
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- known_everywhere: what holds in all projects, the newest first; most of what is active holds in one, so no index of it
SELECT id, kind, content, origin, session FROM memories
WHERE project IS NULL AND +state IN ('active', 'candidate') AND NOT (session IS :session AND turn IS :turn)
ORDER BY created_at DESC, id DESC LIMIT :limit;

-- newest: those in a state, the newest first
SELECT id, created_at FROM memories WHERE state = :state ORDER BY created_at DESC, id DESC LIMIT :limit;

-- learned_in: what holds and was first learned from a session, the oldest first, found by its evidence alone
SELECT
    id, kind, content, importance, confidence, tags, project, origin, via, session, turn, quote, topic,
    extractor, created_at, valid_from, valid_to, superseded_by, state, reason, pinned,
    is_supported, is_accepted, sessions
FROM memories
WHERE session = :session AND +state = 'active'
    AND id IN (SELECT memory FROM evidence WHERE evidence.session = :session)
ORDER BY created_at, id;

-- counted: how many stand in each state
SELECT state, COUNT(*) FROM memories GROUP BY state ORDER BY state;

-- link: say how two belong together
INSERT INTO links (source, target, relation) VALUES (:source, :target, :relation) ON CONFLICT DO NOTHING;

-- links: from and to one
SELECT source, target, relation FROM links
WHERE source = :id OR target = :id ORDER BY source, target, relation;

-- unlink: say that two no longer belong together so
DELETE FROM links WHERE source = :source AND target = :target AND relation = :relation;

-- contradictions: pairs that may contradict each other while both are active, the latest first
SELECT links.source, links.target, links.relation
FROM links
JOIN memories AS newer ON newer.id = links.source
JOIN memories AS older ON older.id = links.target
WHERE links.relation = 'contradicts' AND newer.state = 'active' AND older.state = 'active'
ORDER BY newer.created_at DESC, newer.id DESC, older.id;

-- use: it was looked at
INSERT INTO usage (memory, accessed, last) VALUES (:id, 1, :at)
ON CONFLICT (memory) DO UPDATE SET accessed = accessed + 1, last = excluded.last;

-- used: how often, and when last
SELECT accessed, NULLIF(last, 0) FROM usage WHERE memory = :id;

-- rename: a memory whose first evidence is another now
UPDATE memories SET id = :new WHERE id = :id;

-- rename_successor: those that it has replaced
UPDATE memories SET superseded_by = :new WHERE superseded_by = :id;

-- rename_in_actions: and the actions about it
UPDATE actions SET memory = :new WHERE memory = :id;

-- rename_in_usage: and how often it was looked at
UPDATE OR REPLACE usage SET memory = :new WHERE memory = :id;

-- rename_in_surfaced: and where it was shown
UPDATE OR REPLACE surfaced SET memory = :new WHERE memory = :id;

-- remove_usage: with the memory itself
DELETE FROM usage WHERE memory = :id;

-- remove_surfaced: with the memory itself
DELETE FROM surfaced WHERE memory = :id;
