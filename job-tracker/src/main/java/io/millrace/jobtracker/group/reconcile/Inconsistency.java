package io.millrace.jobtracker.group.reconcile;

/** The inconsistencies that may be found. */
public enum Inconsistency {
  /** A trigger waits without a job: its job is gone, or was edited, paused or ended. */
  TRIGGER_WITHOUT_JOB,
  /** The generator never processes an active job again, or not before its next fire time. */
  JOB_NOT_GENERATED,
  /** An active job lacks a trigger for a fire time for which its triggers have been written. */
  TRIGGER_MISSING,
  /** A job's row counts a different number of running or held triggers than there are. */
  TURNS_MISCOUNTED,
  /** A trigger waits for its turn, but no trigger of its job runs. */
  TURN_NOT_HANDED_ON,
  /** A part of a run waits, but the run is gone, or the part has ended. */
  PART_WITHOUT_BATCH,
  /** A part of a run is in no table. */
  PART_MISSING,
  /** A run that was split counts other ends of its parts than there are. */
  PARTS_MISCOUNTED,
  /** A waiting table has no node group. */
  TABLE_WITHOUT_GROUP,
  /** A node group has no waiting table. */
  GROUP_WITHOUT_TABLE,
  /** Recurring jobs belong to a node group that does not exist. */
  JOB_WITHOUT_GROUP
}
