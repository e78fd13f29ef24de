-- The recurring jobs that are active or paused: when each fires, how far its triggers are written, how many run or
-- wait for their turn.
-- When:   to see what is there; to look for one job by its schedule or state.
-- Reads:  jt_job by index, the rows of one node group; of all of them if none is named.
-- Locks:  nothing.
-- Set:    @node_group; empty means all.
-- Then:   millrace explain for one job; millrace submit with --replace changes it. Never change a row of jt_job by
--         hand: triggers that are written by the former version would run all the same.
SET @node_group = '';

SELECT node_group, task_id, state, schedule, priority, version, running, queued,
  TIMESTAMPADD(MICROSECOND, 1000 * accepted_at, TIMESTAMP '1970-01-01 00:00:00') AS accepted_utc,
  TIMESTAMPADD(MICROSECOND, 1000 * generated_until, TIMESTAMP '1970-01-01 00:00:00') AS written_until_utc,
  fired_count, id AS job_id
FROM jt_job
WHERE (@node_group = '' OR node_group = @node_group) AND state IN ('ACTIVE', 'PAUSED')
ORDER BY node_group, task_id;
