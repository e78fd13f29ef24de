-- Runs a dead trigger of a recurring job again, as a new trigger: same instant, the job's next extra ordinal, attempt
-- 1, due now. The dead one is marked REPLAYED in the same transaction, so that it is replayed once, by this or by a
-- tracker. What the schedule planned has the parameters that the job has now, an extra run has its own. Steps that are
-- done stay done: what the dead run kept is handed to the new one.
-- When:   what made it fail is repaired. dead.sql shows the execution ids. Where a tracker can be asked, millrace
--         replay does the same, and more.
-- Not for one-shots, which take their task id again, not for parts of runs, and not for jobs that are paused. A job whose runs take turns
-- (overlap SKIP, as by default, or QUEUE) takes it if none of its runs is under way: the replay has the turn then.
-- Reads:  the rows of its instant in jt_history, jt_executing, jt_batch and the waiting table, by index.
-- Locks:  the rows of the job and of the dead trigger, and what it kept, until the end of the transaction, so that no
--         edit, cancel or other replay comes between. Trackers may run.
-- Set:    @execution_id; @by, who asks for it: jt_dead and the ledger keep it.
-- Then:   the verdict says what was done. It starts when the tracker next reads the table, within preload.period.
SET @execution_id = 0;
SET @by = 'operations sql';
SET @now = TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;

-- Before the transaction, because SET locks what it reads. None of this changes. The id carries the tracker number
-- 1023, which no tracker leases before 1023 others run.
SET @job_id = (SELECT job_id FROM jt_dead WHERE id = @execution_id AND job_version > 0);
SET @planned_at = (SELECT planned_at FROM jt_dead WHERE id = @execution_id);
SET @dead_ordinal = (SELECT ordinal FROM jt_dead WHERE id = @execution_id);
SET @waiting_table = (
  SELECT g.table_name FROM jt_dead d JOIN jt_node_group g ON g.name = d.node_group WHERE d.id = @execution_id);
SET @replay_id = (
  SELECT GREATEST(@now - 1767225600000, d.id DIV 4194304 + 1) * 4194304 + 1023 * 4096 + MOD(d.id, 4096)
  FROM jt_dead d WHERE d.id = @execution_id);

START TRANSACTION;

-- The job's row is written first, as by everybody who writes a trigger of the job.
UPDATE jt_job SET write_seq = write_seq + 1 WHERE id = @job_id;

-- Of a job whose runs take turns only one is under way: what begins is counted here, as by a tracker.
SET @takes_turns = COALESCE((
  SELECT spec LIKE '%"overlap":{"kind":"SKIP"%' OR spec LIKE '%"overlap":{"kind":"QUEUE"%' FROM jt_job
  WHERE id = @job_id), FALSE);

-- The ordinal follows on the job's count, and on what was given away without being counted.
SET @statement = COALESCE(CONCAT(
  'SELECT MAX(GREATEST(j.extra_count, COALESCE((',
  ' SELECT MAX(h.ordinal) FROM jt_history h WHERE h.job_id = d.job_id AND h.planned_for = d.planned_for), 0),',
  ' COALESCE((SELECT MAX(e.ordinal) FROM jt_executing e',
  ' WHERE e.node_group = d.node_group AND e.task_id = d.task_id AND e.planned_at = d.planned_at), 0),',
  ' COALESCE((SELECT MAX(b.ordinal) FROM jt_batch b',
  ' WHERE b.node_group = d.node_group AND b.task_id = d.task_id AND b.planned_at = d.planned_at), 0),',
  ' COALESCE((SELECT MAX(w.ordinal) FROM ', @waiting_table, ' w',
  ' WHERE w.task_id = d.task_id AND w.planned_at = d.planned_at), 0))) + 1 INTO @ordinal',
  ' FROM jt_dead d JOIN jt_job j ON j.id = d.job_id WHERE d.id = @execution_id',
  ' AND j.state = ''ACTIVE'' AND (j.running = 0 OR NOT @takes_turns)'),
  'SET @ordinal = NULL');
PREPARE number_it FROM @statement;
EXECUTE number_it;
DEALLOCATE PREPARE number_it;

-- Only the transaction that marks it writes the new trigger.
UPDATE jt_dead
SET state = 'REPLAYED', settled_at = @now, settled_by = @by, replay_id = @replay_id, replay_ordinal = @ordinal
WHERE id = @execution_id AND state <> 'REPLAYED' AND @ordinal IS NOT NULL;
SET @settled = ROW_COUNT();
UPDATE jt_job SET extra_count = @ordinal, running = running + @takes_turns WHERE id = @job_id AND @settled = 1;

-- What the dead run kept moves to the new one; and the new one is told which run was the first, because the keys of its
-- steps name that one.
UPDATE jt_kept SET ordinal = @ordinal
WHERE job_id = @job_id AND planned_at = @planned_at AND ordinal = @dead_ordinal AND @settled = 1;
INSERT INTO jt_kept (job_id, planned_at, ordinal, name, kind, content, bytes, kept_at, execution_id, node_group, task_id,
  planned_for)
SELECT job_id, planned_at, @ordinal, '#origin', 'ORIGIN', run_key, LENGTH(run_key), @now, 0, node_group, task_id,
  planned_for
FROM (
  SELECT d.*, CONCAT(node_group, '/', task_id, '/', job_id, '/', planned_at, '/', ordinal) AS run_key
  FROM jt_dead d WHERE id = @execution_id AND @settled = 1) dead
WHERE NOT EXISTS (
  SELECT 1 FROM jt_kept k
  WHERE k.job_id = @job_id AND k.planned_at = @planned_at AND k.ordinal = @ordinal AND k.name = '#origin');
SET @statement = CASE WHEN @settled = 1 THEN CONCAT(
  'INSERT INTO ', @waiting_table, ' (id, task_id, planned_at, ordinal, job_id, job_version, planned_for, due_at,',
  ' priority, attempt, generated_at, spec, params_bytes, params, submission_id, submitted_by, replay_of, begun,',
  ' lane, stick_to)',
  ' SELECT d.replay_id, d.task_id, d.planned_at, d.replay_ordinal, j.id, j.version, d.planned_for, @now, j.priority,',
  ' 1, @now, NULL, CASE WHEN d.ordinal = 0 THEN j.params_bytes ELSE d.params_bytes END,',
  ' CASE WHEN d.ordinal = 0 THEN j.params ELSE d.params END, CONCAT(''replay-of-'', d.id), @by, d.id,',
  ' @takes_turns, COALESCE(JSON_VALUE(j.spec, ''$.lane.number''), 0), JSON_VALUE(j.spec, ''$.stickTo'')',
  ' FROM jt_dead d JOIN jt_job j ON j.id = d.job_id WHERE d.id = @execution_id') ELSE 'DO 0' END;
PREPARE requeue FROM @statement;
EXECUTE requeue;
DEALLOCATE PREPARE requeue;

SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM jt_dead WHERE id = @execution_id)
      THEN 'not requeued: there is no such dead trigger'
    WHEN @settled = 1 THEN 'requeued'
    WHEN EXISTS (SELECT 1 FROM jt_dead WHERE id = @execution_id AND state = 'REPLAYED')
      THEN 'not requeued: it has been replayed before'
    WHEN EXISTS (SELECT 1 FROM jt_dead WHERE id = @execution_id AND job_version = 0 AND ordinal > 0)
      THEN 'not requeued: it was a part of a run; ask a tracker, by millrace replay'
    WHEN EXISTS (SELECT 1 FROM jt_dead WHERE id = @execution_id AND job_version = 0)
      THEN 'not requeued: it was a one-shot; ask a tracker, by millrace replay'
    WHEN EXISTS (SELECT 1 FROM jt_job WHERE id = @job_id AND state = 'ACTIVE')
      THEN 'not requeued: a run of its job is under way, and its runs take turns; run this again when it has ended'
    ELSE 'not requeued: its job is not active'
  END AS verdict;

COMMIT;
