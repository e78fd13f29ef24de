-- What is executing where and since when: first every execution, longest under way first, then a count for each
-- worker.
-- When:   a job hangs, a worker is to be taken down, or workers look busy with nothing.
-- Reads:  jt_executing whole, which has no more rows than the workers have slots.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   stuck.sql for what has been under way too long. millrace terminate ends one; never delete a row by hand.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT node_group, worker_id, task_id, attempt, @now - claimed_at AS claimed_ms_ago, planned_for, stop_requested,
  id AS execution_id, job_id
FROM jt_executing
ORDER BY claimed_at, id;

SELECT node_group, worker_id, COUNT(*) AS executions, @now - MIN(claimed_at) AS oldest_ms
FROM jt_executing
GROUP BY node_group, worker_id
ORDER BY node_group, worker_id;
