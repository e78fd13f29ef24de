package io.millrace.tasktracker.pull;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import java.util.concurrent.CompletableFuture;

/** Where pulls go. */
public interface TrackerPulls {

  /**
   * Sends a pull. The future should stay open for longer than the pull is waited for, because an
   * answer that comes too late is still looked at: its executions are handed back.
   */
  CompletableFuture<PullReply> pull(PullRequest request);

  /** Connects to the tracker at this address, if not connected to it already. */
  void prefer(String address);

  /** Connects to any other tracker, if another one is known. */
  void preferAnother();
}
