package io.millrace.jobtracker.group.reconcile;

/** What may be found broken. */
public enum Inconsistency {
  /** A trigger waits that no job stands behind: gone, edited, paused or ended. */
  TRIGGER_WITHOUT_JOB,
  /** An active job is never looked at by the generator again, or not before its next fire time. */
  JOB_NOT_GENERATED,
  /** An active job has no trigger for a fire time up to which its triggers are written. */
  TRIGGER_MISSING,
  /** A job's row counts other triggers as running or waiting for their turn than there are. */
  TURNS_MISCOUNTED,
  /** A trigger waits for its turn, and none of its job runs. */
  TURN_NOT_HANDED_ON,
  /** A waiting table has no node group. */
  TABLE_WITHOUT_GROUP,
  /** A node group has no waiting table. */
  GROUP_WITHOUT_TABLE,
  /** Recurring jobs are of a node group that is not there. */
  JOB_WITHOUT_GROUP
}
