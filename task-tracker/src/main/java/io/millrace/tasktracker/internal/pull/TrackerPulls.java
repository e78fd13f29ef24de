package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import java.util.concurrent.CompletableFuture;

/** Sends pulls to a tracker. */
public interface TrackerPulls {

  /**
   * Sends a pull. The future should stay open for longer than the worker waits for the pull,
   * because a late answer is still processed: its executions are handed back.
   */
  CompletableFuture<PullReply> pull(PullRequest request);

  /** Connects to the tracker at this address, unless already connected to it. */
  void prefer(String address);

  /** Connects to any other tracker, if another one is known. */
  void preferAnother();
}
