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
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS chosen (id BIGINT PRIMARY KEY, job_id BIGINT, job_version INT);
CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS moved (
  id BIGINT PRIMARY KEY, task_id VARCHAR(256), planned_at BIGINT, ordinal INT, job_id BIGINT, job_version INT,
  planned_for BIGINT, due_at BIGINT, priority INT, attempt INT, generated_at BIGINT, spec VARCHAR, params_bytes INT,
  params VARCHAR, begun BOOLEAN, submission_id VARCHAR(256), submitted_by VARCHAR(256), replay_of BIGINT);
TRUNCATE TABLE chosen;
TRUNCATE TABLE moved;

SET AUTOCOMMIT FALSE;

-- What waits for its turn has no due time, and is none of these.
EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO chosen SELECT id, job_id, job_version FROM ' || @waiting_table || ' WHERE attempt > 1 AND due_at > @now'
    || ' AND due_at < 9223372036854775807 AND (@task_id = '''' OR task_id = @task_id)'
    || ' ORDER BY due_at FETCH FIRST @most ROWS ONLY', 'SET @nothing = 0');

-- The write of the job's row holds off everybody who edits, pauses or cancels it.
UPDATE jt_job SET write_seq = write_seq + 1 WHERE id IN (SELECT job_id FROM chosen WHERE job_version > 0);
DELETE FROM chosen c
WHERE c.job_version > 0
  AND NOT EXISTS (SELECT 1 FROM jt_job j WHERE j.id = c.job_id AND j.version = c.job_version AND j.state = 'ACTIVE');

EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO moved SELECT id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at, priority,'
    || ' attempt, generated_at, spec, params_bytes, params, begun, submission_id, submitted_by, replay_of'
    || ' FROM OLD TABLE (DELETE FROM ' || @waiting_table
    || ' WHERE id IN (SELECT id FROM chosen))', 'SET @nothing = 0');

-- New ids above the old ones; they carry the tracker number 1023, which no tracker leases before 1023 others run.
SET @base = (SELECT GREATEST(@now - 1767225600000, COALESCE(MAX(id), 0) / 4194304 + 1) FROM moved);
EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO ' || @waiting_table || ' (id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at,'
    || ' priority, attempt, generated_at, spec, params_bytes, params, begun, submission_id, submitted_by, replay_of)'
    || ' SELECT (@base + number / 4096) * 4194304 + 1023 * 4096 + MOD(number, 4096), task_id, planned_at, ordinal,'
    || ' job_id, job_version, planned_for, @now, priority, attempt, generated_at, spec, params_bytes, params, begun,'
    || ' submission_id, submitted_by, replay_of'
    || ' FROM (SELECT m.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM moved m)',
  'SET @nothing = 0');

COMMIT;
SET AUTOCOMMIT TRUE;

SELECT COUNT(*) AS moved FROM moved;

DROP TABLE chosen;
DROP TABLE moved;
