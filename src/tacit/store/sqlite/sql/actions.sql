-- get: one by its id
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE id = :id;

-- named: those whose id begins so
SELECT id FROM actions WHERE id >= :name AND id < :beyond ORDER BY id LIMIT 2;

-- put: an action, as it stands now
INSERT INTO actions
(id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
closed_by)
VALUES
(:id, :content, :priority, :status, :memory, :session, :turn, :event, :quote, :origin, :project, :created_at,
:closed_at, :closed_by)
ON CONFLICT (id) DO UPDATE SET
    content = excluded.content, priority = excluded.priority, status = excluded.status,
    memory = excluded.memory, session = excluded.session, turn = excluded.turn, event = excluded.event,
    quote = excluded.quote, origin = excluded.origin, project = excluded.project,
    created_at = excluded.created_at, closed_at = excluded.closed_at, closed_by = excluded.closed_by;

-- of_turn: what was queued from a turn
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE session = :session AND turn = :turn ORDER BY created_at, id;

-- of_session: what was queued from a session
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE session = :session ORDER BY created_at, id;

-- of_memory: what was queued about a memory
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE memory = :memory ORDER BY created_at, id;

-- closed_by: what one of these events has closed
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE closed_by IN (SELECT value FROM json_each(:events)) ORDER BY created_at, id;

-- moot: what waits and is about a memory that has been forgotten, or replaced since
SELECT
    actions.id, actions.content, actions.priority, actions.status, actions.memory, actions.session, actions.turn,
    actions.event, actions.quote, actions.origin, actions.project, actions.created_at, actions.closed_at,
    actions.closed_by
FROM actions JOIN memories ON memories.id = actions.memory
WHERE actions.status = 'pending'
    AND (memories.state = 'forgotten' OR (memories.state = 'superseded' AND memories.valid_to > actions.created_at))
ORDER BY actions.created_at, actions.id;

-- of_event: what was queued from one event
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE event = :event ORDER BY created_at, id;

-- wanted: the most urgent first, the oldest of these first
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions
WHERE (:status IS NULL OR status = :status)
    AND (:projects IS NULL OR project IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects)))
ORDER BY priority, created_at, id LIMIT :limit;

-- wanted_so: of one status, the most urgent first, as the index has them
SELECT
    id, content, priority, status, memory, session, turn, event, quote, origin, project, created_at, closed_at,
    closed_by
FROM actions WHERE status = :status
    AND (:projects IS NULL OR project IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects)))
ORDER BY priority, created_at, id LIMIT :limit;

-- remove: as if it had never been
DELETE FROM actions WHERE id = :id;

-- put_summary: what a session came to, as far as it is known
INSERT INTO summaries
(session, project, request, investigated, learned, completed, next_steps, files_read, files_edited, notes,
updated_at, is_final)
VALUES
(:session, :project, :request, :investigated, :learned, :completed, :next_steps, :files_read, :files_edited,
:notes, :updated_at, :is_final)
ON CONFLICT (session) DO UPDATE SET
    project = excluded.project, request = excluded.request, investigated = excluded.investigated,
    learned = excluded.learned, completed = excluded.completed, next_steps = excluded.next_steps,
    files_read = excluded.files_read, files_edited = excluded.files_edited, notes = excluded.notes,
    updated_at = excluded.updated_at, is_final = excluded.is_final;

-- summaries: the latest first
SELECT
    session, project, request, investigated, learned, completed, next_steps, files_read, files_edited, notes,
    updated_at, is_final
FROM summaries
WHERE (:session IS NULL OR session = :session)
    AND (:projects IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects)))
ORDER BY updated_at DESC, session LIMIT :limit;

-- finish_summary: the session has ended
UPDATE summaries SET is_final = 1 WHERE session = :session;

-- remove_summary: as if it had never been
DELETE FROM summaries WHERE session = :session;

-- stale: whose summaries tell what holds no longer
SELECT session FROM stale ORDER BY session;

-- drop_stale: its summary is as things stand
DELETE FROM stale WHERE session = :session;

-- put_note: what a turn came to
INSERT INTO notes (session, turn, seq, at, asked, done, looked, files_read, files_edited)
VALUES (:session, :turn, :seq, :at, :asked, :done, :looked, :files_read, :files_edited)
ON CONFLICT (session, turn) DO UPDATE SET
    seq = excluded.seq, at = excluded.at, asked = excluded.asked, done = excluded.done, looked = excluded.looked,
    files_read = excluded.files_read, files_edited = excluded.files_edited;

-- notes: what the turns of a session came to, in order
SELECT session, turn, seq, at, asked, done, looked, files_read, files_edited
FROM notes WHERE session = :session ORDER BY seq, turn;

-- remove_note: as if the turn had never been
DELETE FROM notes WHERE session = :session AND turn = :turn;
