package io.millrace.api;

/** The kinds of facts in an {@link Explanation}. */
public enum FactKind {
  /** No live job has this key, and there is no record of one. */
  NOT_FOUND,
  /** What kind of job it is, and its state. */
  STATE,
  /** Declared: by which owner, in which revision, and whether it was edited since. */
  DECLARED,
  /** Paused: by whom, since when, and why. */
  PAUSED,
  /** When the job fires, in words. */
  SCHEDULE,
  /** A future fire time. */
  NEXT_FIRE,
  /** There is no future fire time, and why. */
  NO_NEXT_FIRE,
  /** A trigger waits until it is due. */
  WAITING,
  /** A trigger is due and no worker has claimed it; the text says why. */
  DUE,
  /** A trigger waits for its turn because another trigger of the job runs. */
  HELD,
  /** A trigger waits for its next attempt. */
  RETRY,
  /** A worker executes a trigger. */
  RUNNING,
  /** How a trigger, or one of its attempts, ended. */
  ENDED,
  /** Fire times that did not run, and why. */
  SKIPPED,
  /** A defect, and what repairs it. */
  DEFECT,
  /** A value of a newer protocol. */
  UNKNOWN
}
