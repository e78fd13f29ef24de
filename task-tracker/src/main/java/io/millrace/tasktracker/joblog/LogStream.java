package io.millrace.tasktracker.joblog;

/** How far the log of one execution has come. Guarded by its {@link LogBuffer}. */
final class LogStream {
  final long executionId;
  int lastSequence;

  /** Lines dropped since the last line that was kept. */
  int dropped;

  LogStream(long executionId) {
    this.executionId = executionId;
  }
}
