-- What each turn came to: a session's summary is made of these.

CREATE TABLE notes (
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    asked TEXT NOT NULL,
    done TEXT NOT NULL,
    looked TEXT NOT NULL CHECK (JSON_VALID(looked)),
    files_read TEXT NOT NULL CHECK (JSON_VALID(files_read)),
    files_edited TEXT NOT NULL CHECK (JSON_VALID(files_edited)),
    PRIMARY KEY (session, turn)
) STRICT, WITHOUT ROWID;

CREATE INDEX actions_by_closer ON actions (closed_by) WHERE closed_by IS NOT NULL;
