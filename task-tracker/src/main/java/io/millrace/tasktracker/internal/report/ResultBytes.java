package io.millrace.tasktracker.internal.report;

import io.millrace.internal.protocol.ExecutionResult;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the bytes of results of jobs that no tracker has acknowledged, and asks for no more work
 * while there are too many, as while the outbox is full. Jobs without a result cost nothing.
 * Confined to the loop.
 */
final class ResultBytes implements ReportListener {
  /** Beyond it the worker pulls no work; executions under way may exceed it by their results. */
  static final long MAX_BYTES = 32 << 20;

  private final ReportListener listener;
  private final Map<Long, Long> bytesById = new HashMap<>();
  private long bytes;
  private boolean outboxFull;
  private boolean full;

  ResultBytes(ReportListener listener) {
    this.listener = listener;
  }

  /** Adds a result that waits for its acknowledgement. */
  void reported(ExecutionResult result) {
    if (result.result() == null) {
      return;
    }
    Long before = bytesById.put(result.executionId(), result.textBytes());
    bytes += result.textBytes() - (before == null ? 0 : before);
    tell();
  }

  @Override
  public void released(long executionId) {
    Long released = bytesById.isEmpty() ? null : bytesById.remove(executionId);
    if (released != null) {
      bytes -= released;
      tell();
    }
    listener.released(executionId);
  }

  @Override
  public void outboxFull(boolean isFull) {
    outboxFull = isFull;
    tell();
  }

  private void tell() {
    boolean now = outboxFull || bytes > MAX_BYTES;
    if (now != full) {
      full = now;
      listener.outboxFull(now);
    }
  }
}
