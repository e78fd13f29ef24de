-- Triggers that are dead: their attempts are used up, or their last error is of a kind that is not retried.
-- When:   after an outage, to see what it cost; execution_id is what requeue.sql asks for.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  nothing.
-- Set:    @hours, how far to look back.
-- Then:   repair what made them fail; then requeue.sql for one, requeue-all.sql for many, and a new submit for
--         one-shots.
SET @hours = 24;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT id AS execution_id, node_group, task_id, planned_for, ordinal, attempt, finished_at, worker_id, cause,
  REPLACE(LEFT(message, 200), CHAR(10), ' ') AS message,
  CASE WHEN job_version = 0 THEN 'one-shot' ELSE 'recurring' END AS kind, job_id
FROM jt_history
WHERE id >= (@now - CAST(@hours AS BIGINT) * 3600000 - 1767225600000) * 4194304 AND status = 'DEAD'
ORDER BY id;
