-- The memory: all of it derived from the transcript, so that it can be made again at any time.

CREATE TABLE memories (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    statement BLOB NOT NULL,
    importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 5),
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
    tags TEXT NOT NULL CHECK (JSON_VALID(tags)),
    project TEXT,
    origin TEXT NOT NULL,
    via TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT,
    quote TEXT NOT NULL,
    topic TEXT NOT NULL,
    extractor TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    superseded_by TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'superseded', 'quarantined', 'forgotten', 'archived')),
    reason TEXT,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    member TEXT NOT NULL DEFAULT '',
    shared INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX memories_by_kind ON memories (kind);
CREATE INDEX memories_by_state ON memories (state);
CREATE INDEX memories_by_time ON memories (created_at);
CREATE INDEX memories_by_superseder ON memories (superseded_by);
CREATE INDEX memories_by_project ON memories (project);
CREATE INDEX memories_by_importance ON memories (importance);
CREATE INDEX memories_by_statement ON memories (statement);
CREATE INDEX memories_by_topic ON memories (topic) WHERE topic <> '';

CREATE TABLE tags (
    memory TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE ON UPDATE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (tag, memory)
) STRICT, WITHOUT ROWID;

CREATE INDEX tags_by_memory ON tags (memory);

CREATE TABLE links (
    source TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE ON UPDATE CASCADE,
    target TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE ON UPDATE CASCADE,
    relation TEXT NOT NULL CHECK (relation IN ('related', 'supersedes', 'contradicts', 'elaborates')),
    PRIMARY KEY (source, target, relation)
) STRICT, WITHOUT ROWID;

CREATE INDEX links_by_target ON links (target);

CREATE TABLE evidence (
    id TEXT PRIMARY KEY,
    memory TEXT NOT NULL REFERENCES memories (id) ON UPDATE CASCADE,
    event TEXT NOT NULL,
    seq INTEGER NOT NULL,
    start INTEGER NOT NULL,
    quote TEXT NOT NULL,
    origin TEXT NOT NULL,
    via TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL CHECK (JSON_VALID(tags)),
    importance INTEGER NOT NULL,
    confidence REAL NOT NULL,
    project TEXT,
    topic TEXT NOT NULL,
    extractor TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_memory ON evidence (memory);
CREATE INDEX evidence_by_turn ON evidence (session, turn);
CREATE INDEX evidence_by_event ON evidence (event);
CREATE INDEX evidence_by_origin ON evidence (origin);

CREATE TABLE actions (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2),
    status TEXT NOT NULL CHECK (status IN ('pending', 'acted_on', 'dismissed')),
    memory TEXT,
    session TEXT NOT NULL,
    turn TEXT,
    event TEXT NOT NULL,
    quote TEXT NOT NULL,
    origin TEXT NOT NULL,
    project TEXT,
    created_at INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX actions_by_status ON actions (status, priority, created_at);
CREATE INDEX actions_by_turn ON actions (session, turn);
CREATE INDEX actions_by_event ON actions (event);
CREATE INDEX actions_by_memory ON actions (memory);

CREATE TABLE summaries (
    session TEXT PRIMARY KEY,
    project TEXT,
    request TEXT NOT NULL,
    investigated TEXT NOT NULL,
    learned TEXT NOT NULL,
    completed TEXT NOT NULL,
    next_steps TEXT NOT NULL,
    files_read TEXT NOT NULL CHECK (JSON_VALID(files_read)),
    files_edited TEXT NOT NULL CHECK (JSON_VALID(files_edited)),
    notes TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    is_final INTEGER NOT NULL CHECK (is_final IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX summaries_by_time ON summaries (updated_at);

CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('turn', 'decision')),
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    upto INTEGER NOT NULL,
    is_partial INTEGER NOT NULL CHECK (is_partial IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'dead')),
    tries INTEGER NOT NULL,
    made INTEGER NOT NULL,
    due INTEGER NOT NULL,
    leased INTEGER,
    token TEXT,
    reason TEXT,
    UNIQUE (kind, session, turn)
) STRICT;

CREATE INDEX jobs_by_state ON jobs (state, number);

-- turns that have begun and not ended yet, as far as the cursor has read
CREATE TABLE open_turns (
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    seq INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;

-- how far the transcript was read, and the latest time seen in it
CREATE TABLE progress (
    name TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- what the owner does not want to be learned again from what was said before
CREATE TABLE refusals (
    about TEXT NOT NULL CHECK (about IN ('statement', 'session', 'origin', 'event')),
    subject TEXT NOT NULL,
    before INTEGER NOT NULL,
    PRIMARY KEY (about, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    memory TEXT PRIMARY KEY,
    accessed INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE surfaced (
    memory TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    surface TEXT NOT NULL,
    PRIMARY KEY (memory, session, at, surface)
) STRICT, WITHOUT ROWID;

-- the words of each memory, and the index over them, kept in step by the triggers below
CREATE TABLE words (
    number INTEGER PRIMARY KEY REFERENCES memories (number) ON DELETE CASCADE,
    content TEXT NOT NULL,
    tags TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE word_index USING fts5 (
    content, tags, content = 'words', content_rowid = 'number', detail = full,
    tokenize = "unicode61 remove_diacritics 2"
);

CREATE TRIGGER words_added AFTER INSERT ON words
BEGIN
    INSERT INTO word_index (rowid, content, tags) VALUES (new.number, new.content, new.tags);
END;

CREATE TRIGGER words_removed AFTER DELETE ON words
BEGIN
    INSERT INTO word_index (word_index, rowid, content, tags)
    VALUES ('delete', old.number, old.content, old.tags);
END;

CREATE TRIGGER words_changed AFTER UPDATE ON words
BEGIN
    INSERT INTO word_index (word_index, rowid, content, tags)
    VALUES ('delete', old.number, old.content, old.tags);
    INSERT INTO word_index (rowid, content, tags) VALUES (new.number, new.content, new.tags);
END;
