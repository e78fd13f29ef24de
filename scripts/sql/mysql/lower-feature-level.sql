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
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION group_concat_max_len = 1048576;
SET @required = COALESCE(
  (SELECT CAST(SUBSTRING_INDEX(content, ' ', 1) AS SIGNED) FROM jt_cluster WHERE name = 'required_level'), 0);

DROP TEMPORARY TABLE IF EXISTS needing;
CREATE TEMPORARY TABLE needing (
  kind VARCHAR(16), node_group VARCHAR(64), name VARCHAR(128), needed_level INT, feature VARCHAR(256)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO needing
SELECT 'tracker', NULL, tracker_id, feature_level, NULL FROM jt_tracker
WHERE lease_until > @now AND level_of = tracker_id AND feature_level > @level;
INSERT INTO needing
SELECT 'job', node_group, task_id, JSON_VALUE(spec, '$.needs.number'), JSON_VALUE(spec, '$.needs.feature') FROM jt_job
WHERE state IN ('ACTIVE', 'PAUSED') AND spec LIKE '%"needs":%' AND JSON_VALUE(spec, '$.needs.number') > @level;
INSERT INTO needing
SELECT 'execution', node_group, task_id, JSON_VALUE(spec, '$.needs.number'), JSON_VALUE(spec, '$.needs.feature')
FROM jt_executing
WHERE spec LIKE '%"needs":%' AND JSON_VALUE(spec, '$.needs.number') > @level;

-- Runs that were split need what their jobs do, and at least level 2, as any handler may make parts, or level 4 if there is a part
-- for each worker; and level 5 if parts of them were replayed, or if they replay a run and may have taken over what succeeded.
INSERT INTO needing
SELECT 'batch', node_group, task_id, JSON_VALUE(spec, '$.needs.number'), JSON_VALUE(spec, '$.needs.feature')
FROM jt_batch WHERE spec LIKE '%"needs":%' AND JSON_VALUE(spec, '$.needs.number') > @level;
INSERT INTO needing
SELECT 'batch', node_group, task_id, CASE kind WHEN 'BROADCAST' THEN 4 ELSE 2 END,
  CASE kind WHEN 'BROADCAST' THEN 'one part for each worker' ELSE 'runs that are split' END
FROM jt_batch
WHERE @level < CASE kind WHEN 'BROADCAST' THEN 4 ELSE 2 END
  AND (spec NOT LIKE '%"needs":%' OR JSON_VALUE(spec, '$.needs.number') <= @level);
INSERT INTO needing
SELECT 'batch', node_group, task_id, 5, 'replays of parts' FROM jt_batch
WHERE @level < 5 AND (replaced > 0 OR spec LIKE '%"replayOf":%');

-- One INSERT over all waiting tables, written from the list of node groups.
SELECT CONCAT('INSERT INTO needing ', GROUP_CONCAT(
    'SELECT ''waiting'', ', QUOTE(name), ', task_id, JSON_VALUE(spec, ''$.needs.number''),',
    ' JSON_VALUE(spec, ''$.needs.feature'') FROM ', table_name,
    ' WHERE spec LIKE ''%"needs":%'' AND JSON_VALUE(spec, ''$.needs.number'') > @level'
    SEPARATOR ' UNION ALL '))
INTO @statement FROM jt_node_group;
SET @statement = COALESCE(@statement, 'DO 0');
PREPARE take FROM @statement;
EXECUTE take;
DEALLOCATE PREPARE take;
SET @needing = (SELECT COUNT(*) FROM needing);

UPDATE jt_cluster SET content = @level
WHERE name = 'required_level' AND @needing = 0 AND CAST(SUBSTRING_INDEX(content, ' ', 1) AS SIGNED) > @level;

SELECT kind, node_group, name, needed_level, feature FROM needing ORDER BY kind, node_group, name LIMIT 100;
DROP TEMPORARY TABLE needing;

SELECT CASE
    WHEN @required <= @level THEN CONCAT('not lowered: the required level is ', @required)
    WHEN @needing > 0 THEN CONCAT('not lowered: ', @needing, ' need more, of which up to 100 are listed')
    ELSE 'lowered'
  END AS verdict;
