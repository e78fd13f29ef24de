-- The parts of one run that was split: those that run, then how many ended how, then those that ended otherwise than
-- SUCCEEDED, the latest 200 of them.
-- When:   batches.sql has shown a run, or the ledger has one that failed, and the question is which parts did.
-- Reads:  the rows of the parts in jt_executing and jt_history, by index.
-- Locks:  nothing.
-- Set:    @batch_id.
-- Then:   job-log.sql with the execution of a part. Parts that wait are in the waiting table of the node group, under the
--         task id # and the id of the batch: millrace batch ID --state waiting.
SET @batch_id = 0;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT e.ordinal AS part, 'RUNNING' AS state, e.attempt, e.worker_id, @now - e.claimed_at AS claimed_ms_ago,
  e.stop_requested, e.id AS execution_id
FROM jt_executing e
WHERE e.task_id = CONCAT('#', @batch_id)
  AND e.node_group IN (SELECT name FROM jt_node_group)
ORDER BY e.ordinal;

SELECT status, SUM(instants) AS parts
FROM jt_history
WHERE job_id = @batch_id
GROUP BY status
ORDER BY status;

SELECT ordinal AS part, instants AS parts, status, cause, attempt, worker_id, message,
  DATEADD('MILLISECOND', finished_at, TIMESTAMP '1970-01-01 00:00:00') AS ended_utc, id AS execution_id
FROM jt_history
WHERE job_id = @batch_id AND status <> 'SUCCEEDED'
ORDER BY job_id DESC, planned_for DESC, id DESC
FETCH FIRST 200 ROWS ONLY;
