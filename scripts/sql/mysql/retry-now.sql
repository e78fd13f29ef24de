-- Lets triggers that have been tried and wait for a further attempt have it now, instead of when their back-off is
-- over: at most @most of one node group, earliest first. The number of the attempt stays as it is.
-- When:   what made them fail is repaired, and the back-off is long.
-- Reads:  the waiting table of the group whole. A million rows take about a second.
-- Locks:  the rows that it moves and the rows of their jobs, for the length of one short transaction. Trackers may
--         run: a row counts as moved only if it was deleted here, and only if its job is still what it was.
-- Set:    @node_group; @task_id, empty means all; @most, how many at a time.
-- Then:   run it again while it moves as many as it may. They start when the tracker next reads the table, within
--         preload.period.
SET @node_group = 'orders';
SET @task_id = '';
SET @most = 1000;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;

DROP TEMPORARY TABLE IF EXISTS chosen, moved;
CREATE TEMPORARY TABLE chosen (id BIGINT PRIMARY KEY, job_id BIGINT, job_version INT) ENGINE = InnoDB;
CREATE TEMPORARY TABLE moved (
  id BIGINT PRIMARY KEY, task_id VARCHAR(128), planned_at BIGINT, ordinal INT, job_id BIGINT, job_version INT,
  planned_for BIGINT, due_at BIGINT, priority INT, attempt INT, generated_at BIGINT, spec TEXT, params_bytes INT,
  params MEDIUMTEXT, begun BOOLEAN, submission_id VARCHAR(128), submitted_by VARCHAR(128), replay_of BIGINT
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

START TRANSACTION;

-- What waits for its turn has no due time, and is none of these.
SET @statement = COALESCE(CONCAT(
  'INSERT INTO chosen SELECT id, job_id, job_version FROM ', @waiting_table, ' WHERE attempt > 1 AND due_at > @now',
  ' AND due_at < 9223372036854775807 AND (@task_id = '''' OR task_id = @task_id) ORDER BY due_at LIMIT ', @most),
  'DO 0');
PREPARE choose FROM @statement;
EXECUTE choose;
DEALLOCATE PREPARE choose;

-- The write of the job's row holds off everybody who edits, pauses or cancels it.
UPDATE (SELECT DISTINCT job_id FROM chosen WHERE job_version > 0) c
  STRAIGHT_JOIN jt_job j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.write_seq = j.write_seq + 1;
DELETE c FROM chosen c
  LEFT JOIN jt_job j ON j.id = c.job_id AND j.version = c.job_version AND j.state = 'ACTIVE'
WHERE c.job_version > 0 AND j.id IS NULL;

SET @statement = COALESCE(CONCAT(
  'INSERT INTO moved SELECT w.id, w.task_id, w.planned_at, w.ordinal, w.job_id, w.job_version, w.planned_for,',
  ' w.due_at, w.priority, w.attempt, w.generated_at, w.spec, w.params_bytes, w.params, w.begun, w.submission_id,',
  ' w.submitted_by, w.replay_of',
  ' FROM chosen c STRAIGHT_JOIN ', @waiting_table, ' w FORCE INDEX (PRIMARY) ON w.id = c.id FOR UPDATE'), 'DO 0');
PREPARE take FROM @statement;
EXECUTE take;
DEALLOCATE PREPARE take;
SET @statement = COALESCE(CONCAT(
  'DELETE w FROM moved m STRAIGHT_JOIN ', @waiting_table, ' w FORCE INDEX (PRIMARY) ON w.id = m.id'), 'DO 0');
PREPARE clear FROM @statement;
EXECUTE clear;
DEALLOCATE PREPARE clear;

-- New ids above the old ones; they carry the tracker number 1023, which no tracker leases before 1023 others run.
SET @base = (SELECT GREATEST(@now - 1767225600000, COALESCE(MAX(id), 0) DIV 4194304 + 1) FROM moved);
SET @statement = COALESCE(CONCAT(
  'INSERT INTO ', @waiting_table, ' (id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at,',
  ' priority, attempt, generated_at, spec, params_bytes, params, begun, submission_id, submitted_by, replay_of)',
  ' SELECT (@base + number DIV 4096) * 4194304 + 1023 * 4096 + MOD(number, 4096), task_id, planned_at, ordinal,',
  ' job_id, job_version, planned_for, @now, priority, attempt, generated_at, spec, params_bytes, params, begun,',
  ' submission_id, submitted_by, replay_of',
  ' FROM (SELECT m.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM moved m) n'),
  'DO 0');
PREPARE put_back FROM @statement;
EXECUTE put_back;
DEALLOCATE PREPARE put_back;

COMMIT;

SELECT COUNT(*) AS moved FROM moved;

DROP TEMPORARY TABLE chosen, moved;
