-- What waits in each lane: the labels that triggers require of a worker, how many triggers wait and how many are due.
-- When:   jobs with labels start late, or a node group may lack a worker with a label.
-- Reads:  jt_lane, and every waiting table whole (an index of it). A million rows take about a second.
-- Locks:  nothing.
-- Set:    nothing.
-- Then:   millrace workers ID shows the labels of a worker, and millrace explain names the label that no worker has.
--         #parts stands for runs that are split: it needs workers of a version that knows them.
--         Parts that are for one worker each are in no lane: batches.sql shows their runs, as BROADCAST.
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION group_concat_max_len = 1048576;

-- One SELECT over all waiting tables, written from the list of node groups.
SELECT CONCAT(
  'SELECT l.node_group, l.lane, l.labels, COALESCE(w.waiting, 0) AS waiting, COALESCE(w.due, 0) AS due',
  ' FROM jt_lane l LEFT JOIN (',
  GROUP_CONCAT(
    'SELECT ', QUOTE(name), ' AS node_group, lane, COUNT(*) AS waiting,',
    ' COUNT(CASE WHEN due_at <= @now THEN 1 END) AS due FROM ', table_name, ' GROUP BY lane'
    SEPARATOR ' UNION ALL '),
  ') w ON w.node_group = l.node_group AND w.lane = l.lane ORDER BY due DESC, l.node_group, l.lane')
INTO @statement FROM jt_node_group;

-- Without any node group there is nothing to count.
SET @statement = COALESCE(@statement, 'SELECT node_group, lane, labels FROM jt_lane');
PREPARE lanes FROM @statement;
EXECUTE lanes;
DEALLOCATE PREPARE lanes;
