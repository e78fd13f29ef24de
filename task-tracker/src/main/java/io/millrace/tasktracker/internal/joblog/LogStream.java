package io.millrace.tasktracker.internal.joblog;

/** The progress of the log of one execution. Guarded by its {@link LogBuffer}. */
final class LogStream {
  final long executionId;
  int lastSequence;

  /** Lines dropped since the last line that was kept. */
  int dropped;

  LogStream(long executionId) {
    this.executionId = executionId;
  }
}
