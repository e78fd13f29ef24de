-- The jobs that are paused, longest first: who paused each, when and why.
-- When:   after a maintenance, to see what was forgotten.
-- Reads:  jt_job whole.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   millrace resume; the job fires again from then on.
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SELECT node_group, task_id, (@now - paused_at) / 60000 AS minutes_paused, paused_by, pause_reason, schedule
FROM jt_job
WHERE state = 'PAUSED'
ORDER BY paused_at, node_group, task_id;
