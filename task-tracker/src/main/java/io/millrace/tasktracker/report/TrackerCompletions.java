package io.millrace.tasktracker.report;

import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import java.util.concurrent.CompletableFuture;

/** Sends results to the tracker. */
@FunctionalInterface
public interface TrackerCompletions {

  /** Sends results. The future fails if there is no answer in time. */
  CompletableFuture<CompleteReply> complete(CompleteRequest request);
}
