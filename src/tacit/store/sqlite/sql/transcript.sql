-- head: how far the transcript reaches
SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1;

-- is_known: whether an event was taken in before
SELECT 1 FROM events WHERE id = :id;

-- add_event: one event behind all others
INSERT INTO events
(seq, id, at, received, session, project, client, turn, kind, tool, agent, origin, via, digest, chain)
VALUES
(:seq, :id, :at, :received, :session, :project, :client, :turn, :kind, :tool, :agent, :origin, :via, :digest, :chain);

-- add_payload: its body
INSERT INTO payloads (seq, salt, body) VALUES (:seq, :salt, :body);

-- add_project: a project, when it is first seen
INSERT INTO projects (key, root, name, seal)
VALUES (:project, :root, :name, SEAL(:project, :root, :name, NULL)) ON CONFLICT (key) DO NOTHING;

-- add_place: which project a directory belongs to, as last seen
INSERT INTO places (directory, project, seal)
VALUES (:directory, :project, SEAL(:directory, :project))
ON CONFLICT (directory) DO UPDATE SET project = excluded.project, seal = excluded.seal
WHERE project <> excluded.project;

-- records: all behind a sequence number, in order
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq
WHERE e.seq > :after ORDER BY e.seq;

-- find: one by its id, with the chain before it
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.id = :id;

-- of_session: a session or one of its turns, with the chain before each
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.session = :session AND (:turn IS NULL OR e.turn = :turn) ORDER BY e.seq;

-- lately: the last prompts and replies of a session before a sequence number, with the chain before each
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.session = :session AND e.seq < :before AND e.kind IN ('prompt', 'reply')
ORDER BY e.seq DESC LIMIT :limit;

-- behind: the next ones behind a sequence number, with the chain before each
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.seq > :seq ORDER BY e.seq LIMIT :limit;

-- decisions: what owner and agents have decided, with the chain before each
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.kind = 'decision' AND (:session IS NULL OR e.session = :session) ORDER BY e.seq;

-- about_models: what is written down about models from a time on, with the chain before each
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM events AS e LEFT JOIN payloads AS p ON p.seq = e.seq LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq
WHERE e.session = '' AND e.at >= :since AND e.kind LIKE 'model%' ORDER BY e.seq;

-- last_word: whether a session last began a turn or ended, up to a sequence number
SELECT kind FROM events
WHERE session = :session AND seq <= :upto AND kind IN ('prompt', 'end') ORDER BY seq DESC LIMIT 1;

-- last_turn: the turn that the last prompt of a session opened
SELECT turn FROM events
WHERE session = :session AND kind = 'prompt' AND turn IS NOT NULL ORDER BY seq DESC LIMIT 1;

-- sessions: each with its counts, the last active first
SELECT
    session,
    MIN(COALESCE(projects.joined, project)) AS project,
    MIN(client) AS client,
    MIN(received) AS started,
    MAX(received) AS last,
    COUNT(*) AS events,
    SUM(kind = 'prompt') AS prompts,
    SUM(kind IN ('tool_use', 'tool_failure')) AS tools,
    SUM(kind IN ('tool_failure', 'reply_failure')) AS failures,
    (
        SELECT kind FROM events AS l
        WHERE l.session = events.session AND kind IN ('prompt', 'reply', 'reply_failure')
        ORDER BY l.seq DESC LIMIT 1
    ) AS outcome,
    (
        SELECT kind FROM events AS l
        WHERE l.session = events.session AND kind IN ('prompt', 'start', 'end')
        ORDER BY l.seq DESC LIMIT 1
    ) AS closing
FROM events LEFT JOIN projects ON projects.key = events.project
WHERE session <> ''
GROUP BY session
HAVING :project IS NULL OR MIN(COALESCE(projects.joined, project)) = :project
ORDER BY MAX(seq) DESC;

-- first_prompts: what each session began with, with the chain before it
SELECT
    e.seq, e.id, e.at, e.received, e.session, e.project, e.client, e.turn, e.kind, e.tool, e.agent,
    e.origin, e.via, e.digest, e.chain, p.salt, p.body, b.chain AS before, t.seq AS buried
FROM (
    SELECT MIN(seq) AS seq FROM events WHERE kind = 'prompt' AND origin = 'user' GROUP BY session
) AS f
JOIN events AS e ON e.seq = f.seq
LEFT JOIN payloads AS p ON p.seq = e.seq
LEFT JOIN events AS b ON b.seq = e.seq - 1
LEFT JOIN tombstones AS t ON t.seq = e.seq;

-- named: the session or turn whose id begins so
SELECT session, turn FROM (
    SELECT session, NULL AS turn FROM events WHERE session >= :name AND session < :beyond
    UNION SELECT session, turn FROM events WHERE turn >= :name AND turn < :beyond
) WHERE session <> '' ORDER BY COALESCE(turn, session) = :name DESC LIMIT 2;

-- last_recorded: when the last event of a session was received
SELECT received FROM events WHERE session <> '' ORDER BY seq DESC LIMIT 1;

-- counts: rows in each table
SELECT
    (SELECT COUNT(*) FROM events) AS events,
    (SELECT COUNT(*) FROM payloads) AS payloads,
    (SELECT COUNT(*) FROM tombstones) AS tombstones,
    (SELECT COUNT(DISTINCT session) FROM events WHERE session <> '') AS sessions;

-- bury: say that a body must go
INSERT INTO tombstones (seq, at, reason, seal)
SELECT :seq, :at, :reason, SEAL(:seq, :at, :reason)
WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE seq = :seq);

-- seq_of: where an event stands
SELECT seq FROM events WHERE id = :id;

-- id_of: which event stands there
SELECT id FROM events WHERE seq = :seq;

-- chain_at: the chain value of an event
SELECT chain FROM events WHERE seq = :seq;

-- drop_payload: let it go; says where it stood
DELETE FROM payloads WHERE seq = :seq RETURNING seq;

-- buried: all tombstones
SELECT seq, at, reason FROM tombstones ORDER BY seq;

-- matching: bodies that hold a text
SELECT seq, body FROM payloads WHERE INSTR(body, :text) > 0 ORDER BY seq;

-- of_project: which events belong to a project
SELECT seq FROM events WHERE project = :project ORDER BY seq;

-- of_origin: which events are somebody's words
SELECT seq FROM events
WHERE origin = :origin OR SUBSTR(origin, 1, LENGTH(:origin) + 1) = :origin || ':' ORDER BY seq;

-- before: which events came before a time
SELECT seq FROM events WHERE received < :at ORDER BY seq;

-- projects: the most used first
SELECT key, root, name, joined, (SELECT COUNT(*) FROM events WHERE events.project = projects.key) AS events
FROM projects ORDER BY events DESC, key;

-- place: the project that a directory was last seen to belong to
SELECT project FROM places WHERE directory = :directory;

-- roots: where each project lies, what it was joined to and is called, the oldest first
SELECT key, root, joined, name FROM projects ORDER BY rowid;

-- places: which project each directory was last seen to belong to
SELECT directory, project FROM places ORDER BY LENGTH(directory), directory;

-- last_of: the last event of these projects, of those behind a sequence number
SELECT id FROM events
WHERE seq > :after AND project IN (SELECT value FROM JSON_EACH(:projects)) AND client <> 'tacit'
ORDER BY seq DESC LIMIT 1;

-- rename: call a project so
UPDATE projects SET name = :name, seal = SEAL(key, root, :name, joined) WHERE key = :key;

-- join: count its events as those of another
UPDATE projects SET joined = :into, seal = SEAL(key, root, name, :into) WHERE key = :key;

-- unsealed: rows that are not what was written
SELECT 'tombstone ' || seq FROM tombstones WHERE seal <> SEAL(seq, at, reason)
UNION ALL SELECT 'project ' || key FROM projects WHERE seal <> SEAL(key, root, name, joined)
UNION ALL SELECT 'place ' || directory FROM places WHERE seal <> SEAL(directory, project);

-- schema: how the tables are made
SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name;
