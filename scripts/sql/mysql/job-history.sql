-- What one job did between two instants: every attempt, and every instant that was passed over.
-- When:   what did it do last night?
-- Reads:  of a recurring job the rows of jt_history planned in that time, by index; of a one-shot all rows claimed in
--         that time, by primary key: a million rows take some seconds.
-- Locks:  nothing.
-- Set:    @node_group, @task_id; @from_utc and @until_utc, in UTC.
-- Then:   job-log.sql shows what an execution has logged. millrace explain says in words why a job has not run.
SET @node_group = 'orders';
SET @task_id = 'report';
SET @from_utc = '2026-01-01 22:00:00';
SET @until_utc = '2026-01-02 06:00:00';
SET @from_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', @from_utc) DIV 1000;
SET @until_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', @until_utc) DIV 1000;
SET @job_id = (SELECT id FROM jt_job WHERE node_group = @node_group AND task_id = @task_id);
-- A recurring job is not looked for by primary key: from the highest id on there is nothing.
SET @from_id = CASE WHEN @job_id IS NULL THEN (@from_ms - 1767225600000) * 4194304 ELSE 9223372036854775807 END;
SET @until_id = (@until_ms - 1767225600000) * 4194304;

SELECT TIMESTAMPADD(MICROSECOND, 1000 * planned_for, TIMESTAMP '1970-01-01 00:00:00') AS planned_utc,
  instants, ordinal, attempt, status, cause, REPLACE(LEFT(message, 200), '\n', ' ') AS message, worker_id,
  claimed_at - due_at AS late_ms,
  finished_at - started_at AS ran_ms,
  TIMESTAMPADD(MICROSECOND, 1000 * finished_at, TIMESTAMP '1970-01-01 00:00:00') AS ended_utc,
  id AS execution_id
FROM (
  SELECT * FROM jt_history WHERE job_id = @job_id AND planned_for >= @from_ms AND planned_for < @until_ms
  UNION ALL
  SELECT * FROM jt_history
  WHERE id >= @from_id AND id < @until_id AND node_group = @node_group AND task_id = @task_id) h
ORDER BY planned_for, ordinal, execution_id;
