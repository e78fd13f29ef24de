package io.millrace.console.alert.monitor;

/** The kinds of alerts. */
public enum AlertKind {
  /** Triggers of a node group ended DEAD. Reported by the tracker that recorded the end. */
  DEAD,
  /** Due triggers of a node group wait too long, or were handed out too late. */
  LATE,
  /** Triggers of a node group are due, and no worker of the group is connected. */
  NO_WORKER,
  /** This tracker cannot work: its store does not answer, or its lease is not renewed. */
  TRACKER_TROUBLE,
  /** Another tracker did not renew its lease, and had not ended the lease before. */
  TRACKER_GONE
}
