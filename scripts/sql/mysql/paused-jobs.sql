-- The jobs that are paused, longest first: who paused each, when and why.
-- When:   after a maintenance, to see what was forgotten.
-- Reads:  jt_job whole.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   millrace resume; the job fires again from then on.
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;

SELECT node_group, task_id, (@now - paused_at) DIV 60000 AS minutes_paused, paused_by, pause_reason, schedule
FROM jt_job
WHERE state = 'PAUSED'
ORDER BY paused_at, node_group, task_id;
