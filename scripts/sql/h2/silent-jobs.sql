-- Live jobs of which nothing has run in the last @hours: active and paused ones, with the last time they did.
-- When:   is there a job that should have run and did not? Each morning, with @hours above the longest interval you
--         have.
-- Reads:  jt_job whole, and for each live job its rows of the last @hours in jt_history, by index.
-- Locks:  nothing.
-- Set:    @hours.
-- Then:   millrace explain says why. A job whose schedule fires more seldom than that is in the list and is not
--         silent: look at its schedule. instants_not_run says that it fired and was passed over: not-run.sql.
SET @hours = 24;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @since = @now - CAST(@hours AS BIGINT) * 3600000;

SELECT j.node_group, j.task_id, j.state, j.schedule,
  DATEADD('MILLISECOND', (
    SELECT h.planned_for FROM jt_history h
    WHERE h.job_id = j.id AND h.claimed_at IS NOT NULL
    ORDER BY h.job_id DESC, h.planned_for DESC, h.id DESC
    FETCH FIRST 1 ROW ONLY), TIMESTAMP '1970-01-01 00:00:00') AS last_run_utc,
  COALESCE((
    SELECT SUM(h.instants) FROM jt_history h
    WHERE h.job_id = j.id AND h.planned_for >= @since AND h.claimed_at IS NULL), 0) AS instants_not_run,
  DATEADD('MILLISECOND', j.accepted_at, TIMESTAMP '1970-01-01 00:00:00') AS accepted_utc
FROM jt_job j
WHERE j.state IN ('ACTIVE', 'PAUSED') AND j.accepted_at < @since
  AND NOT EXISTS (
    SELECT 1 FROM jt_history h WHERE h.job_id = j.id AND h.planned_for >= @since AND h.claimed_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM jt_executing e WHERE e.node_group = j.node_group AND e.task_id = j.task_id)
  AND NOT EXISTS (SELECT 1 FROM jt_batch b WHERE b.node_group = j.node_group AND b.task_id = j.task_id)
ORDER BY j.node_group, j.task_id;
