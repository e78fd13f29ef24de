package io.millrace.common.model;

/** Why a job was not stored. Each message says which value was wrong and what is allowed. */
public enum RejectReason {
  EMPTY_TASK_ID,
  /** More than 128 characters. */
  TASK_ID_TOO_LONG,
  /** A character in it that is not seen ({@link NameText}), or a blank at one of its ends. */
  BAD_TASK_ID,
  /** Not 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit. */
  BAD_NODE_GROUP,
  /**
   * The tracker's bound of node groups, or that of those made for one client group, is reached, and
   * this would be a new one.
   */
  TOO_MANY_NODE_GROUPS,
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
  /** Not 1 to 128 characters, each one that is seen ({@link NameText}). */
  BAD_HANDLER,
  /** A number of retries, a delay, a growth or a jitter out of bounds. */
  BAD_RETRY_POLICY,
  /** A run time-out that is no time or longer than a year. */
  BAD_TIMEOUT,
  /** An unknown kind, a limit out of bounds, or one for a one-shot. */
  BAD_OVERLAP_POLICY,
  /** An unknown kind, a window or a cap out of bounds. */
  BAD_MISFIRE_POLICY,
  /**
   * A parameter has no value, a name with a character that is not seen ({@link NameText}), or half
   * of a character in its value.
   */
  BAD_PARAMS,
  /** More than {@link ParamsLimit#MAX_BYTES} bytes. */
  PARAMS_TOO_LARGE,
  /** Not of the form that W3C Trace Context gives, or too long. */
  BAD_TRACE_CONTEXT,
  /** Feedback is asked for by a client of no client group, so there is no client to tell. */
  NO_CLIENT_GROUP,
  /** An edit was made from a job, or a version of it, that is not the one that lives. */
  JOB_CHANGED,
  /** Not 1 to 40 characters, each one that is seen; clients of this library mint it themselves. */
  BAD_SUBMISSION_ID,
  /** What waits takes as many bytes as may wait; the same submit may be repeated later. */
  WAITING_FULL,
  /** The tracker cannot store anything now; the same submit may be repeated later. */
  UNAVAILABLE,
  /** A value of a newer protocol. */
  UNKNOWN;

  /** Whether the same submit may succeed later, and is worth sending again. */
  public boolean mayPass() {
    return this == UNAVAILABLE || this == WAITING_FULL;
  }
}
