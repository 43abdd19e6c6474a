-- add: a statement, and the memory it is evidence for
INSERT INTO evidence
(id, memory, event, seq, start, quote, origin, via, session, turn, at, kind, content, tags, importance,
confidence, project, topic, extractor, is_supported, is_certain)
VALUES
(:id, :memory, :event, :seq, :start, :quote, :origin, :via, :session, :turn, :at, :kind, :content, :tags,
:importance, :confidence, :project, :topic, :extractor, :is_supported,
:is_certain);

-- memory_of: the memory that a statement is evidence for
SELECT memory FROM evidence WHERE id = :id;

-- of_memory: what one stands on, in order
SELECT
    id, event, seq, start, quote, origin, via, session, turn, at, kind, content, tags, importance, confidence,
    project, topic, extractor, is_supported, is_certain
FROM evidence WHERE memory = :memory ORDER BY at, id;

-- of_turn: what was made of a turn
SELECT id FROM evidence WHERE session = :session AND turn = :turn ORDER BY at, id;

-- of_session: what was made of a session
SELECT id FROM evidence WHERE session = :session ORDER BY at, id;

-- of_event: what was made of one event
SELECT id FROM evidence WHERE event = :event ORDER BY at, id;

-- of_origin: what was made of somebody's words
SELECT id FROM evidence
WHERE origin = :origin OR SUBSTR(origin, 1, LENGTH(:origin) + 1) = :origin || ':' ORDER BY at, id;

-- forgotten_in: what a session has said of what was forgotten since
SELECT evidence.content, evidence.quote FROM evidence JOIN memories ON memories.id = evidence.memory
WHERE evidence.session = :session AND memories.state = 'forgotten' ORDER BY evidence.at, evidence.id;

-- is_said_at: whether anything was said at a time that another memory stands on
SELECT EXISTS (SELECT 1 FROM evidence WHERE at = :at AND memory <> :memory);

-- corrections: in how many turns something was corrected about a topic, within a time
SELECT COUNT(DISTINCT evidence.session || ' ' || COALESCE(evidence.turn, evidence.id))
FROM evidence JOIN JSON_EACH(evidence.tags) AS tag
WHERE evidence.kind = 'correction' AND evidence.at > :since AND evidence.at <= :until AND tag.value = :topic;

-- corrected: where something was corrected, of each topic that was in so many turns
SELECT tag.value, evidence.session, COALESCE(evidence.turn, ''), evidence.at
FROM evidence JOIN JSON_EACH(evidence.tags) AS tag
WHERE evidence.kind = 'correction' AND tag.value IN (
    SELECT topic.value FROM evidence JOIN JSON_EACH(evidence.tags) AS topic
    WHERE evidence.kind = 'correction'
    GROUP BY topic.value
    HAVING COUNT(DISTINCT evidence.session || ' ' || COALESCE(evidence.turn, evidence.id)) >= :least
) ORDER BY tag.value, evidence.at, evidence.id;

-- remove: take it back
DELETE FROM evidence WHERE id = :id;

-- refuse: do not learn this again from what was said before
INSERT INTO refusals (about, subject, before) VALUES (:about, :subject, :before)
ON CONFLICT (about, subject) DO UPDATE SET before = MAX(before, excluded.before);

-- refused: up to when something is not to be learned
SELECT before FROM refusals WHERE about = :about AND subject = :subject;
