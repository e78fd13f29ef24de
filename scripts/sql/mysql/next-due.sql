-- The triggers that fall due next, over all node groups.
-- When:   before a tracker or a worker is taken down, to see what is about to start; or to see that a job is planned.
-- Reads:  every waiting table whole. A million rows take about a second.
-- Locks:  nothing.
-- Set:    @most, how many to show.
-- Then:   nothing. Of a recurring job the table holds the next minutes only: millrace next shows what its cron
--         expression has in store, and millrace explain what is next for one job.
SET @most = 20;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION group_concat_max_len = 1048576;

-- One SELECT over all waiting tables, written from the list of node groups.
SELECT CONCAT(
  'SELECT g.name AS node_group, d.task_id, d.due_at - @now AS due_in_ms,',
  ' TIMESTAMPADD(MICROSECOND, 1000 * d.due_at, TIMESTAMP ''1970-01-01 00:00:00'') AS due_utc,',
  ' d.planned_for, d.priority, d.attempt, d.id AS waiting_id, d.job_id FROM (',
  GROUP_CONCAT(
    '(SELECT ', QUOTE(table_name), ' AS table_name, id, task_id, planned_for, due_at, priority, attempt, job_id FROM ',
    table_name, ' WHERE due_at > @now AND due_at < 9223372036854775807 ORDER BY due_at LIMIT ', @most, ')'
    SEPARATOR ' UNION ALL '),
  ') d JOIN jt_node_group g ON g.table_name = d.table_name ORDER BY d.due_at, d.id LIMIT ', @most)
INTO @statement FROM jt_node_group;

-- Without any node group there is nothing to list.
SET @statement = COALESCE(@statement, 'SELECT name AS node_group FROM jt_node_group');
PREPARE next_due FROM @statement;
EXECUTE next_due;
DEALLOCATE PREPARE next_due;
