-- Sessions whose summaries tell what holds no longer: made anew with the next job.

CREATE TABLE stale (
    session TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO stale (session)
SELECT DISTINCT evidence.session FROM evidence JOIN memories ON memories.id = evidence.memory
WHERE memories.state IN ('forgotten', 'superseded');

CREATE TRIGGER memories_changed_in_session AFTER UPDATE OF state, session, content ON memories
WHEN old.state <> new.state OR old.session <> new.session OR old.content <> new.content
BEGIN
    INSERT INTO stale (session) SELECT session FROM evidence WHERE memory = new.id
    ON CONFLICT (session) DO NOTHING;
END;

CREATE TRIGGER evidence_removed_from_session AFTER DELETE ON evidence
BEGIN
    INSERT INTO stale (session) VALUES (old.session) ON CONFLICT (session) DO NOTHING;
END;
