package io.millrace.api;

/** Why a job was not stored. Each message says which value was wrong and what is allowed. */
public enum RejectReason {
  /** No character at all. */
  EMPTY_TASK_ID,
  /** More than 128 characters. */
  TASK_ID_TOO_LONG,
  /** An invisible character, or a blank at the beginning or the end. */
  BAD_TASK_ID,
  /** Not 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit. */
  BAD_NODE_GROUP,
  /**
   * The job would create a node group, but the tracker's limit of node groups, or the limit for one
   * client group, is reached.
   */
  TOO_MANY_NODE_GROUPS,
  /**
   * The jobs of the node group require too many different sets of labels; the message names them.
   */
  TOO_MANY_LANES,
  /** Not a cron expression; the message names the position. */
  BAD_CRON,
  /** The expression is well formed but no instant after now matches it. */
  NEVER_FIRES,
  /** An interval below a millisecond, a negative delay, or either of them too long. */
  BAD_INTERVAL,
  /** A count below 1. */
  BAD_TIMES,
  /** An instant outside the years 1970 to 9999. */
  BAD_INSTANT,
  /** Not 0 to 255. */
  BAD_PRIORITY,
  /** Not 1 to 128 visible characters. */
  BAD_HANDLER,
  /** A number of retries, a delay, a multiplier or a jitter out of bounds. */
  BAD_RETRY_POLICY,
  /** A run time-out below 1 ms or above 365 days. */
  BAD_TIMEOUT,
  /** Not 1 to 1,000 shards. */
  BAD_SHARDS,
  /**
   * An unknown policy for failed parts, or a time for the whole run below 1 ms or above 365 days.
   */
  BAD_BATCH_OPTIONS,
  /** A broadcast with shards or a key to stick to, or a policy for lost workers without one. */
  BAD_BROADCAST,
  /** More than 16 labels, or one that is not 1 to 64 letters, digits and {@code - _ . : / =}. */
  BAD_LABELS,
  /** A key of {@code stickTo} that is not 1 to 128 visible characters. */
  BAD_STICK_TO,
  /** An unknown kind, a limit out of bounds, or one for a one-shot. */
  BAD_OVERLAP_POLICY,
  /** An unknown kind, a window or a cap out of bounds. */
  BAD_MISFIRE_POLICY,
  /**
   * A parameter without a value, with an invisible character in its name (Unicode format or control
   * character), or with half of a surrogate pair in its value.
   */
  BAD_PARAMS,
  /** More than 1 MiB of UTF-8. */
  PARAMS_TOO_LARGE,
  /** Not of the form of W3C Trace Context, or too long. */
  BAD_TRACE_CONTEXT,
  /** The client requests feedback but has no client group that could receive it. */
  NO_CLIENT_GROUP,
  /** The edit is based on another job, or on another version, than the live one. */
  JOB_CHANGED,
  /** Not 1 to 40 visible characters; clients of this library generate the id themselves. */
  BAD_SUBMISSION_ID,
  /**
   * A tracker does not know something that the job uses: it must be upgraded first. The message
   * names the tracker.
   */
  TRACKER_TOO_OLD,
  /** A declared job that fires only once. */
  NOT_RECURRING,
  /**
   * A relay has sent the job too late: a later attempt of the relay was answered before. A relay
   * alone is answered so, and sends the job again.
   */
  OUTDATED,
  /** The limit of bytes of waiting jobs is reached; the same submit may be repeated later. */
  WAITING_FULL,
  /** The tracker cannot store anything now; the same submit may be repeated later. */
  UNAVAILABLE,
  /** A value of a newer protocol. */
  UNKNOWN;

  /** Whether the same submit may succeed later. */
  public boolean mayPass() {
    return this == UNAVAILABLE || this == WAITING_FULL;
  }
}
