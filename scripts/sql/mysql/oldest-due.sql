-- The triggers that have been due the longest and that no worker has claimed yet, over all node groups.
-- When:   backlog-per-group says that work is late, and the question is which.
-- Reads:  every waiting table whole. A million rows take about a second.
-- Locks:  nothing.
-- Set:    @most, how many to show.
-- Then:   millrace explain says of one job why it waits: no worker with its handler, no free slot, no owner.
SET @most = 20;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION group_concat_max_len = 1048576;

-- One SELECT over all waiting tables, written from the list of node groups.
SELECT CONCAT(
  'SELECT g.name AS node_group, d.task_id, @now - d.due_at AS late_ms, d.due_at, d.planned_for, d.priority, d.attempt,',
  ' d.id AS waiting_id, d.job_id FROM (',
  GROUP_CONCAT(
    '(SELECT ', QUOTE(table_name), ' AS table_name, id, task_id, planned_for, due_at, priority, attempt, job_id FROM ',
    table_name, ' WHERE due_at <= @now ORDER BY due_at LIMIT ', @most, ')'
    SEPARATOR ' UNION ALL '),
  ') d JOIN jt_node_group g ON g.table_name = d.table_name ORDER BY d.due_at, d.id LIMIT ', @most)
INTO @statement FROM jt_node_group;

-- Without any node group there is nothing to list.
SET @statement = COALESCE(@statement, 'SELECT name AS node_group FROM jt_node_group');
PREPARE oldest_due FROM @statement;
EXECUTE oldest_due;
DEALLOCATE PREPARE oldest_due;
