-- put: something that sessions may be told; what is known stays, but an answer that came too late is made anew
INSERT INTO told (id, surface, project, session, made, tokens, memories, held)
VALUES (:id, :surface, :project, :session, :made, :tokens, :memories, :held)
ON CONFLICT (id) DO UPDATE SET made = excluded.made WHERE told.surface = 'prompt' AND told.heard = 0;

-- get: one by its id
SELECT id, surface, project, session, made, tokens, memories, held, heard FROM told WHERE id = :id;

-- of_session: the surfacings that were made for a session
SELECT id, surface, project, session, made, tokens, memories, held, heard FROM told
WHERE session = :session ORDER BY made, id;

-- hear: it was told to a session
UPDATE told SET heard = heard + 1 WHERE id = :id;

-- surface: a memory that a session was told
INSERT INTO surfaced (memory, session, told, surface, at, tokens)
VALUES (:memory, :session, :told, :surface, :at, :tokens) ON CONFLICT DO NOTHING RETURNING memory;

-- show: count it; nobody has looked at it for that
INSERT INTO usage (memory, accessed, last, shown) VALUES (:memory, 0, 0, 1)
ON CONFLICT (memory) DO UPDATE SET shown = shown + 1;

-- any_heard: whether any session was told anything
SELECT EXISTS (SELECT 1 FROM surfaced);

-- heard_in: what a session was told, in order
SELECT memory, session, told, surface, at, tokens, used, repeated FROM surfaced
WHERE session = :session ORDER BY at, memory;

-- heard_of: where a memory was told, the latest first
SELECT memory, session, told, surface, at, tokens, used, repeated FROM surfaced
WHERE memory = :memory ORDER BY at DESC, session LIMIT :limit;

-- use: a session has made use of it, or had to say it again
UPDATE surfaced SET used = MAX(used, :used), repeated = MAX(repeated, :repeated)
WHERE session = :session AND memory = :memory AND (used < :used OR repeated < :repeated) RETURNING told;

-- count_use: how often in all
UPDATE usage SET hits = hits + :used, repeats = repeats + :repeated WHERE memory = :memory;

-- stats: what was told of each memory and of what use it was, the most expensive first
SELECT
    surfaced.memory, memories.kind, memories.content, COUNT(*), SUM(surfaced.tokens),
    SUM(surfaced.used), SUM(surfaced.repeated)
FROM surfaced JOIN memories ON memories.id = surfaced.memory
WHERE surfaced.surface <> 'held'
GROUP BY surfaced.memory
ORDER BY SUM(surfaced.tokens) DESC, surfaced.memory LIMIT :limit;

-- totals: how many of each surface were made, heard, and what they cost
SELECT
    surface, COUNT(*), SUM(heard), SUM(heard * tokens),
    SUM(surface = 'prompt' AND heard = 0 AND made < :before)
FROM told GROUP BY surface ORDER BY surface;

-- outcomes: of what was told and of what was held back, how much came up in the session all the same
SELECT surface = 'held', COUNT(*), SUM(used), SUM(repeated) FROM surfaced GROUP BY surface = 'held';

-- old: what nobody was told for long
DELETE FROM told WHERE made < :before AND id NOT IN (SELECT value FROM JSON_EACH(:kept));

-- all_told: every text for sessions
SELECT id, surface, project, session, made, tokens, memories, held, heard FROM told;

-- all_surfaced: every memory that a session was told
SELECT memory, session, told, surface, at, tokens, used, repeated FROM surfaced;

-- all_usage: how often each memory was looked at, shown and used
SELECT memory, accessed, last, shown, hits, repeats FROM usage;

-- keep_told: a text that another store knows
INSERT INTO told (id, surface, project, session, made, tokens, memories, held, heard)
VALUES (:id, :surface, :project, :session, :made, :tokens, :memories, :held, :heard)
ON CONFLICT DO NOTHING;

-- keep_surfaced: what a session was told of a memory that is here
INSERT INTO surfaced (memory, session, told, surface, at, tokens, used, repeated)
SELECT :memory, :session, :told, :surface, :at, :tokens, :used, :repeated
WHERE EXISTS (SELECT 1 FROM memories WHERE id = :memory)
ON CONFLICT DO NOTHING;

-- keep_usage: how often a memory that is here was looked at, shown and used
INSERT INTO usage (memory, accessed, last, shown, hits, repeats)
SELECT :memory, :accessed, :last, :shown, :hits, :repeats
WHERE EXISTS (SELECT 1 FROM memories WHERE id = :memory)
ON CONFLICT DO NOTHING;

-- changes: how often what each project's brief is made of has changed
SELECT project, number FROM changes;

-- candidates: what may stand in each part of a brief, the most wanted first, and how much there is of it
WITH weighed AS (
    SELECT
        memories.number,
        (memories.kind IN (SELECT value FROM JSON_EACH(:behavioural)))
        + 2 * (
            memories.origin IN ('user', 'owner')
            OR (
                memories.origin = 'agent' AND (memories.is_supported OR :agent = 'warned')
                AND memories.kind IN (SELECT value FROM JSON_EACH(:behavioural))
            )
        ) AS part,
        memories.pinned, memories.sessions,
        memories.extractor IN (SELECT value FROM JSON_EACH(:asked)) AS asked,
        MIN(1, COALESCE(usage.hits, 0)) AS used,
        memories.importance
        * CASE
            WHEN :now - memories.created_at <= :fresh THEN 1.0
            ELSE MAX(0.5, 1.0 - 0.5 * (:now - memories.created_at - :fresh) / (:old - :fresh))
        END
        * (
            0.75 + 0.5 * (COALESCE(usage.hits + usage.repeats, 0) + 1.0) / (COALESCE(usage.shown, 0) + 2.0)
        ) AS weight,
        memories.created_at
    FROM memories LEFT JOIN usage ON usage.memory = memories.id
    WHERE memories.state IN (SELECT value FROM JSON_EACH(:states))
        AND (memories.project IS NULL OR memories.project IN (SELECT value FROM JSON_EACH(:projects)))
        AND (
            memories.is_supported OR memories.origin IN ('user', 'owner') OR memories.pinned
            OR (memories.origin = 'agent' AND (
                :agent <> 'candidate' OR memories.kind NOT IN (SELECT value FROM JSON_EACH(:behavioural))
            ))
        )
        AND NOT (memories.kind = 'tool' AND SUBSTR(memories.origin, 1, 4) = 'tool')
        AND NOT EXISTS (
            SELECT 1 FROM links JOIN memories AS nearer ON nearer.id = links.source
            WHERE links.target = memories.id AND links.relation = 'supersedes' AND memories.project IS NULL
                AND nearer.state = 'active' AND nearer.project IN (SELECT value FROM JSON_EACH(:projects))
        )
        AND (
            :as_of IS NULL
            OR (memories.valid_from <= :as_of AND (memories.valid_to IS NULL OR memories.valid_to > :as_of))
        )
),
placed AS (
    SELECT
        number, part,
        ROW_NUMBER() OVER (
            PARTITION BY part
            ORDER BY pinned DESC, sessions DESC, asked DESC, used DESC, weight DESC, created_at DESC, number
        ) AS place,
        COUNT(*) OVER (PARTITION BY part) AS total
    FROM weighed
)
SELECT
    placed.part, placed.total, memories.id, memories.kind, memories.content, memories.tags, memories.project,
    memories.origin, memories.created_at, memories.pinned,
    memories.extractor IN (SELECT value FROM JSON_EACH(:asked)) AS is_asked, memories.is_supported
FROM placed JOIN memories ON memories.number = placed.number
WHERE placed.place <= :limit
ORDER BY placed.part, placed.place;

-- standing: how many memories hold in the group
SELECT COUNT(*) FROM memories WHERE state = 'active';

-- curated: which may stand in each part of the curated files (by its number there), the most wanted first
SELECT number, part FROM (
    SELECT
        number, created_at,
        CASE
            WHEN kind = 'tool' THEN 6
            WHEN origin NOT IN ('user', 'owner') THEN CASE
                WHEN kind = 'discovery' AND INSTR(content, '`') > 0 THEN 5
                WHEN kind = 'context' THEN 7
                WHEN kind = 'decision' THEN 8
                WHEN kind = 'fact' THEN 9
                WHEN kind IN ('discovery', 'bugfix', 'feature', 'refactor') THEN 10
            END
            WHEN kind IN ('instruction', 'pattern', 'discovery')
                AND (INSTR(content, '`') > 0 OR INSTR(tags, '"procedure"') > 0) THEN 5
            WHEN kind = 'correction' AND created_at >= :recent THEN 0
            WHEN kind IN ('preference', 'correction') THEN 1
            WHEN kind IN ('instruction', 'pattern') THEN 2
            WHEN kind = 'fact' AND INSTR(tags, '"files"') > 0 THEN 4
            WHEN kind = 'fact' THEN IIF(project IS NULL, 3, 9)
            WHEN kind = 'context' THEN 7
            WHEN kind = 'decision' THEN 8
            ELSE 10
        END AS part,
        CASE
            WHEN pinned THEN 300.0
            WHEN origin NOT IN ('user', 'owner') THEN 0.0
            WHEN kind = 'correction' AND created_at >= :recent THEN 0.0
            WHEN kind IN ('discovery', 'bugfix', 'feature', 'refactor') THEN 0.0
            WHEN extractor IN (SELECT value FROM JSON_EACH(:asked)) THEN 200.0
            WHEN :now - created_at <= :fresh THEN 100.0 + importance
            ELSE 100.0 + importance * MAX(0.5, 1.0 - 0.5 * (:now - created_at - :fresh) / (:old - :fresh))
        END AS weight
    FROM memories
    WHERE +state = 'active'
        AND (is_supported OR origin IN ('user', 'owner', 'agent') OR pinned)
        AND (:projects IS NULL OR project IS NULL OR project IN (SELECT value FROM JSON_EACH(:projects)))
)
WHERE part IS NOT NULL
ORDER BY part, weight DESC, created_at DESC, number;

-- wordings: memories as texts need them, by their numbers
SELECT
    number, id, kind, content, tags, project, origin, created_at, pinned,
    extractor IN (SELECT value FROM JSON_EACH(:asked)) AS is_asked, is_supported
FROM memories WHERE number IN (SELECT value FROM JSON_EACH(:numbers));
