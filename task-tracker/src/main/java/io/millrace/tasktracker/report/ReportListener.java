package io.millrace.tasktracker.report;

/** What the rest of the worker learns of its results. Called on the loop. */
public interface ReportListener {

  /** The tracker has answered for this execution, or its result was given up. */
  void released(long executionId);

  /** Results no longer fit into the outbox, or they do again. */
  void outboxFull(boolean full);
}
