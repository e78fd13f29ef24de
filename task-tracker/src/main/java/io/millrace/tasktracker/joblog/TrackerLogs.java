package io.millrace.tasktracker.joblog;

import io.millrace.common.protocol.LogReply;
import io.millrace.common.protocol.LogRequest;
import java.util.concurrent.CompletableFuture;

/** Where lines of job logs go. */
@FunctionalInterface
public interface TrackerLogs {

  /** Sends lines; fails when there is no answer in time. */
  CompletableFuture<LogReply> store(LogRequest request);
}
