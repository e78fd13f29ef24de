package io.millrace.tasktracker.joblog;

import io.millrace.common.protocol.LogReply;
import io.millrace.common.protocol.LogRequest;
import java.util.concurrent.CompletableFuture;

/** Sends lines of job logs to the tracker. */
@FunctionalInterface
public interface TrackerLogs {

  /** Sends lines. The future fails if there is no answer in time. */
  CompletableFuture<LogReply> store(LogRequest request);
}
