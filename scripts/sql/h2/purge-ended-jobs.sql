-- Deletes one chunk of rows of recurring jobs that finished or were cancelled long ago; "more" says whether to run it
-- again.
-- When:   jt_job is full of ended jobs, because task ids of recurring jobs are used once and never again. Otherwise
--         leave them: there are as many as there ever were task ids.
-- Care:   a job that is submitted again under such a task id begins anew with version 1, and a submit of the job that
--         ended which is resent later than that is not known any more: keep them longer than any client may be cut
--         off. A retired declared job that is declared again is a new one, and not paused.
-- Reads:  the rows of the group in jt_job, by index, and for each candidate its rows in jt_history, jt_executing,
--         jt_batch and the waiting table, all by index.
-- Locks:  the rows of the chunk, for the length of one short transaction. Trackers may run: a
--         concurrent submit of such a job is repeated.
-- Set:    @node_group; @keep_days, at least 2; @chunk, how many rows at a time.
-- Then:   run it again while "more" is 1. The ledger keeps what these jobs did.
SET @node_group = 'orders';
SET @keep_days = 30;
SET @chunk = 1000;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);
SET @before = @now - CAST(GREATEST(@keep_days, 2) AS BIGINT) * 86400000;
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS ended (id BIGINT PRIMARY KEY, version INT);
TRUNCATE TABLE ended;

EXECUTE IMMEDIATE COALESCE(
  'INSERT INTO ended SELECT j.id, j.version FROM jt_job j WHERE j.node_group = @node_group'
    || ' AND j.state IN (''FINISHED'', ''CANCELLED'') AND j.accepted_at < @before'
    || ' AND NOT EXISTS (SELECT 1 FROM ' || @waiting_table || ' w WHERE w.task_id = j.task_id)'
    || ' AND NOT EXISTS (SELECT 1 FROM jt_executing e WHERE e.node_group = j.node_group AND e.task_id = j.task_id)'
    || ' AND NOT EXISTS (SELECT 1 FROM jt_batch b WHERE b.node_group = j.node_group AND b.task_id = j.task_id)'
    || ' AND NOT EXISTS (SELECT 1 FROM jt_history h WHERE h.job_id = j.id AND h.planned_for >= @before)'
    || ' FETCH FIRST @chunk ROWS ONLY', 'SET @nothing = 0');
SET @found = (SELECT COUNT(*) FROM ended);

-- One that was submitted again meanwhile is of another version, and not in these states.
SET AUTOCOMMIT FALSE;
DELETE FROM jt_declared d
WHERE d.node_group = @node_group AND d.retired_at IS NOT NULL AND EXISTS (
  SELECT 1 FROM jt_job j JOIN ended e ON e.id = j.id AND e.version = j.version
  WHERE j.node_group = d.node_group AND j.task_id = d.task_id AND j.state IN ('FINISHED', 'CANCELLED'));
DELETE FROM jt_job j
WHERE j.id IN (SELECT id FROM ended) AND j.state IN ('FINISHED', 'CANCELLED')
  AND j.version = (SELECT e.version FROM ended e WHERE e.id = j.id);
DELETE FROM jt_job_submission s
WHERE s.job_id IN (SELECT id FROM ended) AND NOT EXISTS (SELECT 1 FROM jt_job j WHERE j.id = s.job_id);
DELETE FROM jt_job_version v
WHERE v.job_id IN (SELECT id FROM ended) AND NOT EXISTS (SELECT 1 FROM jt_job j WHERE j.id = v.job_id);
COMMIT;
SET AUTOCOMMIT TRUE;

SELECT @found = @chunk AS more;

DROP TABLE ended;
