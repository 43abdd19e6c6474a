-- The transcript: events are never changed, bodies go only where a tombstone says so.
-- Events are held by their chain; a row of the other tables by its seal, a digest of its columns.

CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    received INTEGER NOT NULL,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    client TEXT NOT NULL,
    turn TEXT,
    kind TEXT NOT NULL,
    tool TEXT,
    agent TEXT,
    origin TEXT NOT NULL,
    via TEXT NOT NULL,
    digest BLOB NOT NULL,
    chain BLOB NOT NULL
) STRICT;

CREATE INDEX events_by_session ON events (session, seq);

CREATE TABLE payloads (
    seq INTEGER PRIMARY KEY REFERENCES events (seq),
    salt BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE tombstones (
    seq INTEGER PRIMARY KEY REFERENCES events (seq),
    at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    seal BLOB NOT NULL
) STRICT;

CREATE TABLE projects (
    key TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    name TEXT NOT NULL,
    joined TEXT REFERENCES projects (key),
    seal BLOB NOT NULL
) STRICT;

CREATE TABLE places (
    directory TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES projects (key),
    seal BLOB NOT NULL
) STRICT;

CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never updated');
END;

CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never deleted');
END;

CREATE TRIGGER payloads_stay_as_they_are BEFORE UPDATE ON payloads
BEGIN
    SELECT RAISE(ABORT, 'payloads are never updated');
END;

CREATE TRIGGER payloads_stay BEFORE DELETE ON payloads
WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE tombstones.seq = old.seq)
BEGIN
    SELECT RAISE(ABORT, 'a payload is deleted only where a tombstone names it');
END;

CREATE TRIGGER tombstones_stay_as_they_are BEFORE UPDATE ON tombstones
BEGIN
    SELECT RAISE(ABORT, 'tombstones are never updated');
END;

CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
BEGIN
    SELECT RAISE(ABORT, 'tombstones are never deleted');
END;

-- REPLACE would delete without asking the triggers above.
CREATE TRIGGER events_only_grow BEFORE INSERT ON events
WHEN new.seq <> (SELECT COALESCE(MAX(seq), 0) + 1 FROM events)
BEGIN
    SELECT RAISE(ABORT, 'events are only appended');
END;

CREATE TRIGGER events_come_once BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE events.id = new.id)
BEGIN
    SELECT RAISE(ABORT, 'an event comes once');
END;

CREATE TRIGGER payloads_come_once BEFORE INSERT ON payloads
WHEN EXISTS (SELECT 1 FROM payloads WHERE payloads.seq = new.seq)
    OR EXISTS (SELECT 1 FROM tombstones WHERE tombstones.seq = new.seq)
BEGIN
    SELECT RAISE(ABORT, 'a payload comes once');
END;

CREATE TRIGGER tombstones_come_once BEFORE INSERT ON tombstones
WHEN EXISTS (SELECT 1 FROM tombstones WHERE tombstones.seq = new.seq)
BEGIN
    SELECT RAISE(ABORT, 'a tombstone comes once');
END;
