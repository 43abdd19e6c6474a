-- Turns that no model has read yet: asked about in batches.

CREATE TABLE unasked (
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    upto INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_urgent INTEGER NOT NULL CHECK (is_urgent IN (0, 1)),
    tries INTEGER NOT NULL,
    due INTEGER NOT NULL,
    reason TEXT,
    is_dead INTEGER NOT NULL CHECK (is_dead IN (0, 1)),
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;
