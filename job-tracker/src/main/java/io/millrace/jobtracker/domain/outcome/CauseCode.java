package io.millrace.jobtracker.domain.outcome;

/**
 * What may cause an end. The ledger and the dead triggers store these names, so that a name never
 * changes. The catalogues {@code causes_*.properties} have the words.
 */
public enum CauseCode {
  /** No further attempt is allowed. */
  ATTEMPTS_USED_UP,
  /** The job's retry policy names the exception. */
  NOT_RETRYABLE,
  /** The job itself threw an exception that says so. */
  NOT_RETRYABLE_BY_JOB,
  /** The attempt had begun, and its job runs at most once. */
  RUNS_AT_MOST_ONCE,
  /** Longer than the time-out, which the tracker does not know. */
  TIMED_OUT,
  /** Longer than the time-out: milliseconds. */
  TIMED_OUT_MILLIS(1),
  /** Longer than the time-out: seconds. */
  TIMED_OUT_SECONDS(1),
  /** The worker did not end the attempt when it was told to. */
  NOT_ENDED_BY_WORKER,
  /** The worker's lease ran out. */
  WORKER_LOST,
  /** The worker stopped and interrupted the attempt. */
  WORKER_SHUTDOWN,
  /** The worker interrupted the attempt, because its own view of its lease had run out. */
  LEASE_RUNNING_OUT,
  /** The worker gave it back before it began. */
  NOT_STARTED,
  /** The worker never received it. */
  NEVER_RECEIVED,
  /** The worker has no runner for it. */
  HANDLER_UNKNOWN,
  /** Terminated: by whom. */
  TERMINATED_BY(1),
  /** Its job was cancelled while it waited. */
  CANCELLED,
  /** Its job was cancelled while it was executing. */
  CANCELLED_WHILE_EXECUTING,
  /** Another definition replaced its job. */
  REPLACED,
  /** Its job was edited, or paused and resumed, while it was executing. */
  EDITED_WHILE_EXECUTING,
  /** Its job ended while it was executing. */
  ENDED_WHILE_EXECUTING,
  /** Its job was paused while it waited. */
  PAUSED,
  /** It fell into a pause: paused by whom. */
  PAUSED_BY(1),
  /** Its job was paused while it was executing. */
  PAUSED_WHILE_EXECUTING,
  /** Missed, and the misfire policy does not make up for it. */
  MISSED,
  /** The run before it was under way. */
  OVERLAP,
  /** The run before it was under way, and as many as the queue takes waited: how many. */
  OVERLAP_QUEUE_FULL(1),
  /** It waited although its job was gone. */
  JOB_GONE,
  /** It waited although its job was edited. */
  JOB_EDITED,
  /** It waited although its job is paused. */
  JOB_PAUSED,
  /** It waited although its job has ended. */
  JOB_ENDED,
  /** Parts of its run failed: how many, and how many there are. */
  PARTS_FAILED(2),
  /** The reduce of its run failed. */
  REDUCE_FAILED,
  /** Its run was split, and its parts did not end in the time allowed. */
  NOT_ENDED_IN_TIME,
  /** The run that it is a part of was told to end. */
  BATCH_STOPPED,
  /** The worker that alone might run it is gone: its node id. */
  WORKER_GONE(1),
  /** What the parts of its run returned takes too much room. */
  RESULTS_TOO_LARGE,
  /** An operator removed its node group with SQL. */
  NODE_GROUP_REMOVED,
  /** A text that is no code, as former versions recorded it: the text. */
  FREE_TEXT(1);

  private final int arguments;

  CauseCode() {
    this(0);
  }

  CauseCode(int arguments) {
    this.arguments = arguments;
  }

  /** How many arguments a cause of this code has. */
  public int arguments() {
    return arguments;
  }
}
