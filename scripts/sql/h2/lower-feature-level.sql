-- Lowers the feature level that every tracker must have, so that trackers of an older version start again. First it
-- lists what still needs more: jobs, executions, waiting triggers and runs that were split, which an older tracker would
-- handle wrongly, and trackers that would go on storing such jobs. If there is any, it lowers nothing.
-- When:   going back to an older version, whose trackers refuse to start and name the level that they have.
-- Care:   stop all trackers of the newer version first, and start none before this has answered: they know that the
--         level was required, and would not ask again.
-- Reads:  jt_job, jt_executing, jt_batch and every waiting table whole. A million rows take some seconds.
-- Locks:  one row of jt_cluster.
-- Set:    @level, the level that the older version has.
-- Then:   if rows are listed, cancel these jobs with a tracker of the newer version, or let them end, and run it again;
--         a tracker that was killed counts until its lease has run out. If it says "lowered", start the older trackers.
SET @level = 1;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @number = CAST('"needs":\{[^}]*"number":([0-9]+)' AS VARCHAR);
SET @feature = CAST('"needs":\{[^}]*"feature":"([^"]*)"' AS VARCHAR);
SET @required = COALESCE(
  (SELECT CAST(REGEXP_SUBSTR(content, '^[0-9]+') AS INT) FROM jt_cluster WHERE name = 'required_level'), 0);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS needing (
  kind VARCHAR(16), node_group VARCHAR(64), name VARCHAR(256), needed_level INT, feature VARCHAR(256));
TRUNCATE TABLE needing;

INSERT INTO needing
SELECT 'tracker', NULL, tracker_id, feature_level, NULL FROM jt_tracker
WHERE lease_until > @now AND level_of = tracker_id AND feature_level > @level;
INSERT INTO needing
SELECT 'job', node_group, task_id, CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT),
  REGEXP_SUBSTR(spec, @feature, 1, 1, NULL, 1)
FROM jt_job
WHERE state IN ('ACTIVE', 'PAUSED') AND CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT) > @level;
INSERT INTO needing
SELECT 'execution', node_group, task_id, CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT),
  REGEXP_SUBSTR(spec, @feature, 1, 1, NULL, 1)
FROM jt_executing
WHERE CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT) > @level;

-- Runs that were split need what their jobs do, and at least level 2, as any handler may make parts, or level 4 if there is a part
-- for each worker; and level 5 if parts of them were replayed, or if they replay a run and may have taken over what succeeded.
INSERT INTO needing
SELECT 'batch', node_group, task_id, CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT),
  REGEXP_SUBSTR(spec, @feature, 1, 1, NULL, 1)
FROM jt_batch
WHERE CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT) > @level;
INSERT INTO needing
SELECT 'batch', node_group, task_id, CASE kind WHEN 'BROADCAST' THEN 4 ELSE 2 END,
  CASE kind WHEN 'BROADCAST' THEN 'one part for each worker' ELSE 'runs that are split' END
FROM jt_batch
WHERE @level < CASE kind WHEN 'BROADCAST' THEN 4 ELSE 2 END
  AND COALESCE(CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT), 0) <= @level;
INSERT INTO needing
SELECT 'batch', node_group, task_id, 5, 'replays of parts' FROM jt_batch
WHERE @level < 5 AND (replaced > 0 OR spec LIKE '%"replayOf":%');

-- One INSERT over all waiting tables, written from the list of node groups.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO needing ' || LISTAGG(
    'SELECT ''waiting'', ''' || name || ''', task_id, CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT),'
      || ' REGEXP_SUBSTR(spec, @feature, 1, 1, NULL, 1) FROM ' || table_name
      || ' WHERE CAST(REGEXP_SUBSTR(spec, @number, 1, 1, NULL, 1) AS INT) > @level',
    ' UNION ALL ')
  FROM jt_node_group), 'SET @nothing = 0');
SET @needing = (SELECT COUNT(*) FROM needing);

UPDATE jt_cluster SET content = CAST(@level AS VARCHAR)
WHERE name = 'required_level' AND @needing = 0 AND CAST(REGEXP_SUBSTR(content, '^[0-9]+') AS INT) > @level;

SELECT kind, node_group, name, needed_level, feature FROM needing ORDER BY kind, node_group, name
FETCH FIRST 100 ROWS ONLY;
DROP TABLE needing;

SELECT CASE
    WHEN @required <= @level THEN 'not lowered: the required level is ' || @required
    WHEN @needing > 0 THEN 'not lowered: ' || @needing || ' need more, of which up to 100 are listed'
    ELSE 'lowered'
  END AS verdict;
