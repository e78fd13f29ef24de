-- Runs a dead trigger of a recurring job again, as a new trigger: same instant, next ordinal, attempt 1, due now. The
-- ledger keeps the dead one, and gets a row of its own for this. It has the parameters that the job has now.
-- When:   what made it fail is repaired. dead.sql shows the execution ids.
-- Not for one-shots: their parameters are gone with them; submit the job again, under the same task id.
-- Not for extra runs: their own parameters are gone too; millrace run asks for another.
-- Not for jobs whose runs follow one another (fixed delay, rely-on-prev-cycle): this one could run beside the next.
-- Reads:  the rows of its instant in jt_history, jt_executing and the waiting table, by index.
-- Locks:  the job's row until the end of the transaction, so that no edit or cancel comes between. Trackers may run.
-- Set:    @execution_id.
-- Then:   the verdict says what was done. It starts when the tracker next reads the table, within preload.period.
SET @execution_id = 0;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

SET AUTOCOMMIT FALSE;

SET @job_id = (
  SELECT j.id FROM jt_history h JOIN jt_job j ON j.id = h.job_id
  WHERE h.id = @execution_id AND h.status = 'DEAD' AND j.state = 'ACTIVE' AND j.spec NOT LIKE '%"chained":true%'
    AND (h.ordinal = 0 OR EXISTS (
      SELECT 1 FROM jt_history planned
      WHERE planned.job_id = h.job_id AND planned.planned_for = h.planned_for AND planned.ordinal = 0)));
UPDATE jt_job SET write_seq = write_seq + 1 WHERE id = @job_id AND state = 'ACTIVE';

-- Whether a later ordinal of the trigger has ended or is executing, and whether one waits.
SET @newer = (
  SELECT COUNT(*) FROM jt_history h
  WHERE h.id = @execution_id
    AND (
      EXISTS (
        SELECT 1 FROM jt_history later
        WHERE later.job_id = h.job_id AND later.planned_for = h.planned_for AND later.ordinal > h.ordinal)
      OR EXISTS (
        SELECT 1 FROM jt_executing later
        WHERE later.node_group = h.node_group AND later.task_id = h.task_id AND later.planned_at = h.planned_at
          AND later.ordinal > h.ordinal)));
EXECUTE IMMEDIATE COALESCE((
  SELECT 'SET @newer_waiting = (SELECT COUNT(*) FROM jt_history h JOIN ' || g.table_name || ' later'
    || ' ON later.task_id = h.task_id AND later.planned_at = h.planned_at AND later.ordinal > h.ordinal'
    || ' WHERE h.id = @execution_id)'
  FROM jt_history h JOIN jt_node_group g ON g.name = h.node_group
  WHERE h.id = @execution_id), 'SET @newer_waiting = 0');

-- The id carries the tracker number 1023, which no tracker leases before 1023 others run.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO ' || g.table_name || ' (id, task_id, planned_at, ordinal, job_id, job_version,'
    || ' planned_for, due_at, priority, attempt, generated_at, spec, params_bytes, params)'
    || ' SELECT (@now - 1767225600000) * 4194304 + 1023 * 4096 + MOD(h.id, 4096), h.task_id, h.planned_at,'
    || ' h.ordinal + 1, j.id, j.version, h.planned_for, @now, j.priority, 1, @now, NULL, j.params_bytes, j.params'
    || ' FROM jt_history h JOIN jt_job j ON j.id = h.job_id'
    || ' WHERE h.id = @execution_id AND j.id = @job_id AND j.state = ''ACTIVE'' AND @newer + @newer_waiting = 0'
  FROM jt_history h JOIN jt_node_group g ON g.name = h.node_group
  WHERE h.id = @execution_id), 'SET @newer = 0');

SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM jt_history WHERE id = @execution_id) THEN 'not requeued: there is no such execution'
    WHEN NOT EXISTS (SELECT 1 FROM jt_history WHERE id = @execution_id AND status = 'DEAD')
      THEN 'not requeued: its trigger is not dead'
    WHEN EXISTS (SELECT 1 FROM jt_history WHERE id = @execution_id AND job_version = 0)
      THEN 'not requeued: it was a one-shot; submit it again'
    WHEN @job_id IS NULL THEN 'not requeued: its job is not active, its runs follow one another, or it was extra'
    WHEN @newer + @newer_waiting > 0 THEN 'not requeued: it has been requeued before'
    ELSE 'requeued'
  END AS verdict;

COMMIT;
SET AUTOCOMMIT TRUE;
