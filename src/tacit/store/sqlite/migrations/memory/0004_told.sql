-- What sessions are told: every brief and every surfacing, where it was heard, and of what use it was.

CREATE TABLE told (
    id TEXT PRIMARY KEY,
    surface TEXT NOT NULL CHECK (surface IN ('brief', 'agent', 'prompt')),
    project TEXT,
    session TEXT,
    made INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    memories TEXT NOT NULL CHECK (JSON_VALID(memories)),
    held TEXT NOT NULL CHECK (JSON_VALID(held)),
    heard INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX told_by_time ON told (made);
CREATE INDEX told_by_session ON told (session) WHERE session IS NOT NULL;

DROP TABLE surfaced;

CREATE TABLE surfaced (
    memory TEXT NOT NULL,
    session TEXT NOT NULL,
    told TEXT NOT NULL,
    surface TEXT NOT NULL,
    at INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1)),
    repeated INTEGER NOT NULL DEFAULT 0 CHECK (repeated IN (0, 1)),
    PRIMARY KEY (session, memory, told)
) STRICT, WITHOUT ROWID;

CREATE INDEX surfaced_by_memory ON surfaced (memory);

-- what was corrected lately: how often something is, is asked with each correction
CREATE INDEX evidence_corrected ON evidence (at) WHERE kind = 'correction';

ALTER TABLE usage ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;

-- how often anything has changed that a project's brief is made of, so that only that one is made again
CREATE TABLE changes (
    project TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO changes (project, number) SELECT DISTINCT COALESCE(project, '*'), 1 FROM memories;

CREATE TRIGGER memories_added_to_project AFTER INSERT ON memories
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER memories_changed_in_project AFTER UPDATE ON memories
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER memories_moved_from_project AFTER UPDATE OF project ON memories WHEN old.project IS NOT new.project
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(old.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER memories_removed_from_project AFTER DELETE ON memories
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(old.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER actions_added_to_project AFTER INSERT ON actions
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER actions_changed_in_project AFTER UPDATE ON actions
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER actions_removed_from_project AFTER DELETE ON actions
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(old.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER summaries_added_to_project AFTER INSERT ON summaries
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER summaries_changed_in_project AFTER UPDATE ON summaries
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(new.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER summaries_removed_from_project AFTER DELETE ON summaries
BEGIN
    INSERT INTO changes (project, number) VALUES (COALESCE(old.project, '*'), 1)
    ON CONFLICT (project) DO UPDATE SET number = number + 1;
END;
