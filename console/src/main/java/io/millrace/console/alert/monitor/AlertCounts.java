package io.millrace.console.alert.monitor;

/** Counts alerts. Thread-safe. */
public interface AlertCounts {

  /** The result of an alert. */
  enum Outcome {
    /** A receiver accepted the alert. */
    SENT,
    /** An attempt to deliver the alert failed. */
    FAILED,
    /** The alert was given up, or there was no room to record it. */
    DROPPED
  }

  /**
   * Alerts for a receiver were sent, failed or were dropped.
   *
   * @param receiverType the type of the receiver: {@code webhook}, {@code mail}
   */
  void count(String receiverType, Outcome outcome, long alerts);
}
