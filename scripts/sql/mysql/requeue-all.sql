-- Runs the dead triggers of recurring jobs again, each as requeue.sql does one: those of one node group, and of one
-- job if it is named, that were claimed in the last @hours; at most @most, oldest first.
-- When:   what made them fail is repaired, and they are many. dead.sql and failures-per-job.sql show them.
-- Not for one-shots: their parameters are gone with them; submit the jobs again, under the same task ids.
-- Not for extra runs with parameters of their own, nor for jobs whose runs follow one another: those are left out.
-- Reads:  the rows of jt_history claimed in the last @hours, by primary key. A million rows take some seconds.
-- Locks:  the rows of the jobs, for the length of one transaction, so that no edit or cancel comes between. Trackers
--         may run.
-- Set:    @node_group; @task_id, empty means all; @hours; @most.
-- Then:   run it again while it requeues as many as it may; once more requeues nothing that it has requeued. They
--         start when the tracker next reads the table, within preload.period. Mind the load: they are all due at
--         once.
SET @node_group = 'orders';
SET @task_id = '';
SET @hours = 24;
SET @most = 500;
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET @waiting_table = (SELECT table_name FROM jt_node_group WHERE name = @node_group);
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;

DROP TEMPORARY TABLE IF EXISTS dead;
CREATE TEMPORARY TABLE dead (
  id BIGINT PRIMARY KEY, task_id VARCHAR(128), planned_at BIGINT, ordinal INT, job_id BIGINT, planned_for BIGINT
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

START TRANSACTION;

-- What has been requeued already waits, executes or has ended; it is looked for in the order of its way.
SET @is_requeued = CONCAT(
  'EXISTS (SELECT 1 FROM ', @waiting_table, ' later WHERE later.task_id = h.task_id',
  ' AND later.planned_at = h.planned_at AND later.ordinal > h.ordinal)',
  ' OR EXISTS (SELECT 1 FROM jt_executing later WHERE later.node_group = @node_group AND later.task_id = h.task_id',
  ' AND later.planned_at = h.planned_at AND later.ordinal > h.ordinal)',
  ' OR EXISTS (SELECT 1 FROM jt_history later WHERE later.job_id = h.job_id',
  ' AND later.planned_for = h.planned_for AND later.ordinal > h.ordinal)');
SET @statement = COALESCE(CONCAT(
  'INSERT INTO dead SELECT h.id, h.task_id, h.planned_at, h.ordinal, h.job_id, h.planned_for',
  ' FROM jt_history h JOIN jt_job j ON j.id = h.job_id',
  ' WHERE h.id >= (@now - @hours * 3600000 - 1767225600000) * 4194304',
  ' AND h.status = ''DEAD'' AND h.node_group = @node_group AND (@task_id = '''' OR h.task_id = @task_id)',
  ' AND j.state = ''ACTIVE'' AND j.spec NOT LIKE ''%"chained":true%''',
  ' AND (h.ordinal = 0 OR EXISTS (SELECT 1 FROM jt_history planned',
  ' WHERE planned.job_id = h.job_id AND planned.planned_for = h.planned_for AND planned.ordinal = 0))',
  ' AND NOT (', @is_requeued, ') ORDER BY h.id LIMIT ', @most), 'DO 0');
PREPARE find_dead FROM @statement;
EXECUTE find_dead;
DEALLOCATE PREPARE find_dead;

-- While the job's row is held nobody else requeues: what is still none of these is so for certain.
UPDATE (SELECT DISTINCT job_id FROM dead) d STRAIGHT_JOIN jt_job j FORCE INDEX (PRIMARY) ON j.id = d.job_id
SET j.write_seq = j.write_seq + 1 WHERE j.state = 'ACTIVE';
DELETE d FROM dead d LEFT JOIN jt_job j ON j.id = d.job_id AND j.state = 'ACTIVE' WHERE j.id IS NULL;
SET @statement = COALESCE(CONCAT('DELETE h FROM dead h WHERE ', @is_requeued), 'DO 0');
PREPARE leave_requeued FROM @statement;
EXECUTE leave_requeued;
DEALLOCATE PREPARE leave_requeued;

-- The ids carry the tracker number 1023, which no tracker leases before 1023 others run.
SET @statement = COALESCE(CONCAT(
  'INSERT INTO ', @waiting_table, ' (id, task_id, planned_at, ordinal, job_id, job_version,',
  ' planned_for, due_at, priority, attempt, generated_at, spec, params_bytes, params)',
  ' SELECT (@now - 1767225600000 + d.number DIV 4096) * 4194304 + 1023 * 4096 + MOD(d.number, 4096), d.task_id,',
  ' d.planned_at, d.ordinal + 1, j.id, j.version, d.planned_for, @now, j.priority, 1, @now, NULL, j.params_bytes,',
  ' j.params FROM (SELECT dead.*, ROW_NUMBER() OVER (ORDER BY id) - 1 AS number FROM dead) d',
  ' JOIN jt_job j ON j.id = d.job_id AND j.state = ''ACTIVE'''), 'DO 0');
PREPARE requeue FROM @statement;
EXECUTE requeue;
DEALLOCATE PREPARE requeue;

COMMIT;

SELECT COUNT(*) AS requeued FROM dead;

DROP TEMPORARY TABLE dead;
