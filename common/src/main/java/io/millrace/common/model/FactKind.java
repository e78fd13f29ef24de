package io.millrace.common.model;

/** What an {@link Explanation} says about a job. */
public enum FactKind {
  /** No job of this key lives, and none has left a trace. */
  NOT_FOUND,
  /** What kind of job it is, and its state. */
  STATE,
  /** Paused: by whom, since when, and why. */
  PAUSED,
  /** When it fires, in words. */
  SCHEDULE,
  /** A coming fire time. */
  NEXT_FIRE,
  /** Nothing comes any more, and why. */
  NO_NEXT_FIRE,
  /** A trigger waits until it is due. */
  WAITING,
  /** A trigger is due and nobody has drawn it; the text says why. */
  DUE,
  /** A trigger waits for its turn, because another one of the job runs. */
  HELD,
  /** A trigger waits for its next attempt. */
  RETRY,
  /** A worker has it. */
  RUNNING,
  /** How a trigger, or one of its attempts, ended. */
  ENDED,
  /** Fire times that did not run, and why. */
  SKIPPED,
  /** Something is not as it should be, and what repairs it. */
  DEFECT,
  /** A value of a newer protocol. */
  UNKNOWN
}
