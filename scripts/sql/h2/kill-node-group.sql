-- Removes a node group with everything that belongs to it: its jobs, what waits and executes, what its clients have
-- not been told, its dead triggers, workers and counts, its row and its waiting table. What waited or executed ends
-- CANCELLED in the ledger, which stays, as the job logs do; fire times yet to come leave no trace, as in a cancel. Of a
-- run that was split, the parts that were never released end as one row.
-- When:   a node group is not needed any more, or is to begin anew. It comes back empty with the first job or worker.
-- Care:   stop the clients and the workers of the group first. A worker that goes on finishes what it has begun, and
--         its results are refused; a client that goes on makes the group anew in the middle of it. Clients get no
--         feedback.
-- Reads:  the waiting table of the group whole, jt_feedback whole, and its rows of the other tables by index.
-- Locks:  the rows of the group until the end of one transaction, which takes some seconds for 100,000 waiting rows;
--         other node groups go on. Trackers may run: the one that serves the group leaves it with its next look, and
--         may log failures until then.
-- Set:    @node_group.
-- Then:   if the verdict says so, run it again. backlog-per-group.sql shows the group no more.
SET @node_group = '';
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS doomed (
  id BIGINT PRIMARY KEY, task_id VARCHAR(256), planned_at BIGINT, ordinal INT, job_id BIGINT, job_version INT,
  planned_for BIGINT, due_at BIGINT, attempt INT, generated_at BIGINT, spec VARCHAR, begun BOOLEAN,
  submission_id VARCHAR(256), submitted_by VARCHAR(256), worker_id VARCHAR(128), claimed_at BIGINT, replay_of BIGINT,
  released INT, instants INT);
TRUNCATE TABLE doomed;

SET AUTOCOMMIT FALSE;

-- After these writes no tracker takes the group, or generates, retries or edits a job of it.
UPDATE jt_node_group SET write_seq = write_seq + 1, owner = NULL, epoch = epoch + 1 WHERE name = @node_group;
UPDATE jt_job SET write_seq = write_seq + 1 WHERE node_group = @node_group;
UPDATE jt_batch SET write_seq = write_seq + 1 WHERE node_group = @node_group;

-- What is deleted here no claim gets. What a claim or a worker's answer moved on meanwhile is found in the next place.
SET @take = COALESCE(
  'INSERT INTO doomed SELECT id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at, attempt,'
    || ' generated_at, spec, begun, submission_id, submitted_by, NULL, NULL, replay_of, NULL, 1 FROM OLD TABLE'
    || ' (DELETE FROM ' || @waiting_table || ')',
  'SET @nothing = 0');
EXECUTE IMMEDIATE @take;
INSERT INTO doomed
SELECT id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at, attempt, generated_at, spec, TRUE,
  NULL, NULL, worker_id, claimed_at,
  CAST(REGEXP_SUBSTR(spec, '"replayOf":"([0-9]+)"', 1, 1, NULL, 1) AS BIGINT), NULL, 1
FROM OLD TABLE (DELETE FROM jt_executing WHERE node_group = @node_group AND @waiting_table IS NOT NULL);
DELETE FROM jt_batch WHERE node_group = @node_group AND state = 'STAGED' AND @waiting_table IS NOT NULL;
INSERT INTO doomed
SELECT id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at, attempt, generated_at, spec, TRUE,
  NULL, NULL, worker_id, claimed_at,
  CAST(REGEXP_SUBSTR(spec, '"replayOf":"([0-9]+)"', 1, 1, NULL, 1) AS BIGINT), released, total - released
FROM OLD TABLE (DELETE FROM jt_batch WHERE node_group = @node_group AND @waiting_table IS NOT NULL);
EXECUTE IMMEDIATE @take;
UPDATE doomed d SET spec = (SELECT j.spec FROM jt_job j WHERE j.id = d.job_id) WHERE spec IS NULL;

INSERT INTO jt_history (id, node_group, task_id, planned_at, ordinal, job_id, job_version, status, is_final, reported,
  cause, attempt, planned_for, planned_to, instants, due_at, generated_at, claimed_at, finished_at, worker_id, handler,
  submission_id, submitted_by, trace_parent, replay_of)
SELECT id, @node_group, task_id, planned_at, ordinal, job_id, job_version, 'CANCELLED', TRUE, FALSE,
  'NODE_GROUP_REMOVED', attempt, planned_for, planned_for, 1, due_at, generated_at, claimed_at, @now, worker_id,
  REGEXP_SUBSTR(spec, '"handler":"([^"]*)"', 1, 1, NULL, 1),
  NULLIF(REGEXP_SUBSTR(spec, '"submissionId":"([^"]*)"', 1, 1, NULL, 1), ''),
  REGEXP_SUBSTR(spec, '"submittedBy":"([^"]*)"', 1, 1, NULL, 1),
  REGEXP_SUBSTR(spec, '"traceParent":"([^"]*)"', 1, 1, NULL, 1), replay_of
FROM doomed WHERE worker_id IS NOT NULL;

-- In the place of a run that was split, its parts that were never released, as one row. Parts have no submission id.
UPDATE doomed
SET task_id = '#' || id, planned_at = 0, ordinal = released + 1, job_id = id, job_version = 0, attempt = 1,
  due_at = GREATEST(@now, due_at), generated_at = @now, worker_id = NULL, replay_of = NULL,
  submission_id = ''
WHERE released IS NOT NULL AND instants > 0;
DELETE FROM doomed
WHERE worker_id IS NOT NULL
  OR (job_version > 0 AND planned_for > @now AND NOT begun AND ordinal = 0 AND attempt = 1);

-- Ids of their own, above those of the rows; they carry the tracker number 1023, which no tracker leases before 1023
-- others run.
SET @base = (SELECT GREATEST(@now - 1767225600000, COALESCE(MAX(id), 0) / 4194304 + 1) FROM doomed);
INSERT INTO jt_history (id, node_group, task_id, planned_at, ordinal, job_id, job_version, status, is_final, reported,
  cause, attempt, planned_for, planned_to, instants, due_at, generated_at, finished_at, handler, submission_id,
  submitted_by, trace_parent, replay_of)
SELECT (@base + number / 4096) * 4194304 + 1023 * 4096 + MOD(number, 4096), @node_group, task_id, planned_at, ordinal,
  job_id, job_version, 'CANCELLED', TRUE, FALSE, 'NODE_GROUP_REMOVED', attempt - 1, planned_for, planned_for, instants,
  due_at, generated_at, @now, REGEXP_SUBSTR(spec, '"handler":"([^"]*)"', 1, 1, NULL, 1),
  NULLIF(COALESCE(submission_id, REGEXP_SUBSTR(spec, '"submissionId":"([^"]*)"', 1, 1, NULL, 1)), ''),
  COALESCE(submitted_by, REGEXP_SUBSTR(spec, '"submittedBy":"([^"]*)"', 1, 1, NULL, 1)),
  REGEXP_SUBSTR(spec, '"traceParent":"([^"]*)"', 1, 1, NULL, 1), replay_of
FROM (SELECT d.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM doomed d);

DELETE FROM jt_feedback WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_dead WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_kept WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_worker WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_group_load WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_minute_count WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_hour_count WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_job_submission WHERE job_id IN (SELECT id FROM jt_job WHERE node_group = @node_group);
DELETE FROM jt_job_version WHERE job_id IN (SELECT id FROM jt_job WHERE node_group = @node_group);
DELETE FROM jt_declared WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_job WHERE node_group = @node_group AND @waiting_table IS NOT NULL;

SET @remaining = (SELECT COUNT(*) FROM jt_executing WHERE node_group = @node_group)
  + (SELECT COUNT(*) FROM jt_batch WHERE node_group = @node_group);
EXECUTE IMMEDIATE COALESCE(
  'SET @remaining = @remaining + (SELECT COUNT(*) FROM ' || @waiting_table || ')', 'SET @nothing = 0');
DELETE FROM jt_node_group WHERE name = @node_group AND @remaining = 0;

COMMIT;
SET AUTOCOMMIT TRUE;

EXECUTE IMMEDIATE COALESCE(CASE WHEN @remaining = 0 THEN 'DROP TABLE ' || @waiting_table END, 'SET @nothing = 0');
DROP TABLE doomed;

SELECT CASE
    WHEN @waiting_table IS NULL THEN 'not removed: there is no such node group'
    WHEN @remaining > 0 THEN 'not removed yet: rows came in meanwhile; stop its clients and workers, and run it again'
    ELSE 'removed'
  END AS verdict;
