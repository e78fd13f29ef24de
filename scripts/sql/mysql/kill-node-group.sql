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
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;

DROP TEMPORARY TABLE IF EXISTS doomed;
CREATE TEMPORARY TABLE doomed (
  id BIGINT PRIMARY KEY, task_id VARCHAR(128), planned_at BIGINT, ordinal INT, job_id BIGINT, job_version INT,
  planned_for BIGINT, due_at BIGINT, attempt INT, generated_at BIGINT, spec TEXT, begun BOOLEAN,
  submission_id VARCHAR(128), submitted_by VARCHAR(128), worker_id VARCHAR(128), claimed_at BIGINT, replay_of BIGINT,
  released INT, instants INT
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

SET @statement = COALESCE(CONCAT(
  'INSERT INTO doomed SELECT w.id, w.task_id, w.planned_at, w.ordinal, w.job_id, w.job_version, w.planned_for,',
  ' w.due_at, w.attempt, w.generated_at, w.spec, w.begun, w.submission_id, w.submitted_by, NULL, NULL,',
  ' w.replay_of, NULL, 1 FROM ',
  @waiting_table, ' w FOR UPDATE'), 'DO 0');
PREPARE take FROM @statement;
SET @statement = COALESCE(CONCAT(
  'DELETE w FROM doomed d STRAIGHT_JOIN ', @waiting_table, ' w FORCE INDEX (PRIMARY) ON w.id = d.id'), 'DO 0');
PREPARE clear FROM @statement;
SET @statement = COALESCE(CONCAT('SELECT @remaining + COUNT(*) INTO @remaining FROM ', @waiting_table), 'DO 0');
PREPARE count_left FROM @statement;

START TRANSACTION;

-- After these writes no tracker takes the group, or generates, retries or edits a job of it.
UPDATE jt_node_group SET write_seq = write_seq + 1, owner = NULL, epoch = epoch + 1 WHERE name = @node_group;
UPDATE jt_job SET write_seq = write_seq + 1 WHERE node_group = @node_group;
UPDATE jt_batch SET write_seq = write_seq + 1 WHERE node_group = @node_group;

-- What is deleted here no claim gets. What a claim or a worker's answer moved on meanwhile is found in the next place.
EXECUTE take;
EXECUTE clear;
INSERT INTO doomed
SELECT e.id, e.task_id, e.planned_at, e.ordinal, e.job_id, e.job_version, e.planned_for, e.due_at, e.attempt,
  e.generated_at, e.spec, TRUE, NULL, NULL, e.worker_id, e.claimed_at,
  JSON_VALUE(e.spec, '$.replayOf'), NULL, 1
FROM jt_executing e WHERE e.node_group = @node_group AND @waiting_table IS NOT NULL FOR UPDATE;
DELETE e FROM doomed d STRAIGHT_JOIN jt_executing e FORCE INDEX (PRIMARY) ON e.id = d.id;
INSERT INTO doomed
SELECT b.id, b.task_id, b.planned_at, b.ordinal, b.job_id, b.job_version, b.planned_for, b.due_at, b.attempt,
  b.generated_at, b.spec, TRUE, NULL, NULL, b.worker_id, b.claimed_at,
  JSON_VALUE(b.spec, '$.replayOf'), b.released, b.total - b.released
FROM jt_batch b WHERE b.node_group = @node_group AND b.state <> 'STAGED' AND @waiting_table IS NOT NULL FOR UPDATE;
DELETE FROM jt_batch WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
EXECUTE take;
EXECUTE clear;
UPDATE doomed d JOIN jt_job j ON j.id = d.job_id SET d.spec = j.spec WHERE d.spec IS NULL;

INSERT INTO jt_history (id, node_group, task_id, planned_at, ordinal, job_id, job_version, status, is_final, reported,
  cause, attempt, planned_for, planned_to, instants, due_at, generated_at, claimed_at, finished_at, worker_id, handler,
  submission_id, submitted_by, trace_parent, replay_of)
SELECT id, @node_group, task_id, planned_at, ordinal, job_id, job_version, 'CANCELLED', TRUE, FALSE,
  'NODE_GROUP_REMOVED', attempt, planned_for, planned_for, 1, due_at, generated_at, claimed_at, @now, worker_id,
  JSON_VALUE(spec, '$.handler'), NULLIF(JSON_VALUE(spec, '$.submissionId'), ''), JSON_VALUE(spec, '$.submittedBy'),
  JSON_VALUE(spec, '$.trace.traceParent'), replay_of
FROM doomed WHERE worker_id IS NOT NULL;

-- In the place of a run that was split, its parts that were never released, as one row. Parts have no submission id.
UPDATE doomed
SET task_id = CONCAT('#', id), planned_at = 0, ordinal = released + 1, job_id = id, job_version = 0, attempt = 1,
  due_at = GREATEST(@now, due_at), generated_at = @now, worker_id = NULL, replay_of = NULL,
  submission_id = ''
WHERE released IS NOT NULL AND instants > 0;
DELETE FROM doomed
WHERE worker_id IS NOT NULL
  OR (job_version > 0 AND planned_for > @now AND NOT begun AND ordinal = 0 AND attempt = 1);

-- Ids of their own, above those of the rows; they carry the tracker number 1023, which no tracker leases before 1023
-- others run.
SET @base = (SELECT GREATEST(@now - 1767225600000, COALESCE(MAX(id), 0) DIV 4194304 + 1) FROM doomed);
INSERT INTO jt_history (id, node_group, task_id, planned_at, ordinal, job_id, job_version, status, is_final, reported,
  cause, attempt, planned_for, planned_to, instants, due_at, generated_at, finished_at, handler, submission_id,
  submitted_by, trace_parent, replay_of)
SELECT (@base + number DIV 4096) * 4194304 + 1023 * 4096 + MOD(number, 4096), @node_group, task_id, planned_at, ordinal,
  job_id, job_version, 'CANCELLED', TRUE, FALSE, 'NODE_GROUP_REMOVED', attempt - 1, planned_for, planned_for, instants,
  due_at, generated_at, @now, JSON_VALUE(spec, '$.handler'),
  NULLIF(COALESCE(submission_id, JSON_VALUE(spec, '$.submissionId')), ''),
  COALESCE(submitted_by, JSON_VALUE(spec, '$.submittedBy')),
  JSON_VALUE(spec, '$.trace.traceParent'), replay_of
FROM (SELECT d.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM doomed d) n;

DELETE FROM jt_feedback WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_dead WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_kept WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_worker WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_group_load WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_minute_count WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_hour_count WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE s FROM jt_job_submission s JOIN jt_job j ON j.id = s.job_id WHERE j.node_group = @node_group;
DELETE v FROM jt_job_version v JOIN jt_job j ON j.id = v.job_id WHERE j.node_group = @node_group;
DELETE FROM jt_declared WHERE node_group = @node_group AND @waiting_table IS NOT NULL;
DELETE FROM jt_job WHERE node_group = @node_group AND @waiting_table IS NOT NULL;

SET @remaining = (SELECT COUNT(*) FROM jt_executing WHERE node_group = @node_group)
  + (SELECT COUNT(*) FROM jt_batch WHERE node_group = @node_group);
EXECUTE count_left;
DELETE FROM jt_node_group WHERE name = @node_group AND @remaining = 0;

COMMIT;

SET @statement = COALESCE(CASE WHEN @remaining = 0 THEN CONCAT('DROP TABLE ', @waiting_table) END, 'DO 0');
PREPARE drop_table FROM @statement;
EXECUTE drop_table;
DEALLOCATE PREPARE drop_table;
DEALLOCATE PREPARE take;
DEALLOCATE PREPARE clear;
DEALLOCATE PREPARE count_left;
DROP TEMPORARY TABLE doomed;

SELECT CASE
    WHEN @waiting_table IS NULL THEN 'not removed: there is no such node group'
    WHEN @remaining > 0 THEN 'not removed yet: rows came in meanwhile; stop its clients and workers, and run it again'
    ELSE 'removed'
  END AS verdict;
