package io.millrace.internal.protocol;

/** Whether the tracker that answers a pull serves the worker's node group. */
public enum PullStatus {
  SERVED,
  NOT_OWNER,
  /** A value of a newer protocol. */
  UNKNOWN
}
