-- The triggers that have been due the longest and that no worker has claimed yet, over all node groups.
-- When:   backlog-per-group says that work is late, and the question is which.
-- Reads:  every waiting table whole. A million rows take about a second.
-- Locks:  nothing.
-- Set:    @most, how many to show.
-- Then:   millrace explain says of one job why it waits: no worker with its handler, no free slot, no owner.
SET @most = 20;
SET @now = CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT);

CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS oldest_due (
  table_name VARCHAR(64), id BIGINT, task_id VARCHAR(128), planned_for BIGINT, due_at BIGINT, priority INT,
  attempt INT, job_id BIGINT);
TRUNCATE TABLE oldest_due;

-- One INSERT over all waiting tables, written from the list of node groups.
EXECUTE IMMEDIATE COALESCE((
  SELECT 'INSERT INTO oldest_due SELECT * FROM (' || LISTAGG(
    '(SELECT ''' || table_name || ''', id, task_id, planned_for, due_at, priority, attempt, job_id FROM '
      || table_name || ' WHERE due_at <= @now ORDER BY due_at FETCH FIRST @most ROWS ONLY)',
    ' UNION ALL ') || ')'
  FROM jt_node_group), 'TRUNCATE TABLE oldest_due');

SELECT g.name AS node_group, d.task_id, @now - d.due_at AS late_ms, d.due_at, d.planned_for, d.priority, d.attempt,
  d.id AS waiting_id, d.job_id
FROM oldest_due d JOIN jt_node_group g ON g.table_name = d.table_name
ORDER BY d.due_at, d.id
FETCH FIRST @most ROWS ONLY;

DROP TABLE oldest_due;
