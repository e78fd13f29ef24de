-- The triggers that fall due next, over all node groups.
-- When:   before a tracker or a worker is taken down, to see what is about to start; or to see that a job is planned.
-- Reads:  every waiting table whole. A million rows take about a second.
-- Locks:  nothing.
-- Set:    @most, how many to show.
-- Then:   nothing. Of a recurring job the table holds the next minutes only: millrace next shows what its cron
--         expression has in store, and millrace explain what is next for one job.
SET @most = 20;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS next_due (
  table_name VARCHAR(64), id BIGINT, task_id VARCHAR(256), planned_for BIGINT, due_at BIGINT, priority INT,
  attempt INT, job_id BIGINT);
TRUNCATE TABLE next_due;

-- One INSERT over all waiting tables, written from the list of node groups.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO next_due SELECT * FROM (' || LISTAGG(
    '(SELECT ''' || table_name || ''', id, task_id, planned_for, due_at, priority, attempt, job_id FROM '
      || table_name || ' WHERE due_at > @now AND due_at < 9223372036854775807'
      || ' ORDER BY due_at FETCH FIRST @most ROWS ONLY)',
    ' UNION ALL ') || ')'
  FROM jt_node_group), 'TRUNCATE TABLE next_due');

SELECT g.name AS node_group, d.task_id, d.due_at - @now AS due_in_ms,
  DATEADD('MILLISECOND', d.due_at, TIMESTAMP '1970-01-01 00:00:00') AS due_utc, d.planned_for, d.priority, d.attempt,
  d.id AS waiting_id, d.job_id
FROM next_due d JOIN jt_node_group g ON g.table_name = d.table_name
ORDER BY d.due_at, d.id
FETCH FIRST @most ROWS ONLY;

DROP TABLE next_due;
