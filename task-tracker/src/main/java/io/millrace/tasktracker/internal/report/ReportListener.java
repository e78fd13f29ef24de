package io.millrace.tasktracker.internal.report;

/** Receives the state of reported results. Called on the loop. */
public interface ReportListener {

  /** Reports that the tracker has answered for this execution, or that its result was given up. */
  void released(long executionId);

  /**
   * Reports that results no longer fit into the outbox, or that those in memory are too large, or
   * that they fit again.
   */
  void outboxFull(boolean full);
}
