package io.millrace.jobtracker.alert;

/** What alerts are about. */
public enum AlertKind {
  /** Triggers of a node group ended DEAD. Told by the tracker that recorded it. */
  DEAD(true),
  /** Due triggers of a node group wait for too long, or were handed out too late. */
  LATE(true),
  /** Triggers of a node group are due, and no worker of it is connected. */
  NO_WORKER(true),
  /** This tracker cannot do its work: its store does not answer, or its lease is not renewed. */
  TRACKER_TROUBLE(false),
  /** Another tracker did not renew its lease, and had not said that it stops. */
  TRACKER_GONE(false);

  private final boolean ofGroup;

  AlertKind(boolean ofGroup) {
    this.ofGroup = ofGroup;
  }

  /** Whether it is about one node group. */
  public boolean isOfGroup() {
    return ofGroup;
  }
}
