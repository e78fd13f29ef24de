package io.millrace.tasktracker.report;

import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import java.util.concurrent.CompletableFuture;

/** Where results go. */
@FunctionalInterface
public interface TrackerCompletions {

  /** Sends results; fails when there is no answer in time. */
  CompletableFuture<CompleteReply> complete(CompleteRequest request);
}
