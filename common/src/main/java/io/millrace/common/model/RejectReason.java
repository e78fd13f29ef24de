package io.millrace.common.model;

/** Why a job was not stored. */
public enum RejectReason {
  EMPTY_TASK_ID,
  TASK_ID_TOO_LONG,
  BAD_TASK_ID,
  BAD_NODE_GROUP,
  TOO_MANY_NODE_GROUPS,
  BAD_CRON,
  /** The expression is well formed but no instant after now matches it. */
  NEVER_FIRES,
  BAD_INTERVAL,
  BAD_TIMES,
  BAD_INSTANT,
  BAD_PRIORITY,
  BAD_HANDLER,
  BAD_RETRY_POLICY,
  /** A parameter has no value. */
  BAD_PARAMS,
  PARAMS_TOO_LARGE,
  BAD_SUBMISSION_ID,
  /** The tracker cannot store anything now; the same submit may be repeated later. */
  UNAVAILABLE,
  /** A value of a newer protocol. */
  UNKNOWN
}
