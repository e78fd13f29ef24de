package io.millrace.tasktracker.internal.report;

import io.millrace.internal.protocol.ExecutionResult;
import org.jspecify.annotations.Nullable;

/** A result from its report until it is answered. Equal to itself only. Confined to the loop. */
final class KeptResult {
  final ExecutionResult result;

  /** When the result was reported, in nanoseconds of {@code Clock.nanoTime}. */
  final long reportedAt;

  /** The sequence of its entry in the outbox; null while it is in memory only. */
  @Nullable Long sequence;

  boolean answered;

  KeptResult(ExecutionResult result, long reportedAt) {
    this.result = result;
    this.reportedAt = reportedAt;
  }
}
