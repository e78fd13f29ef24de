package io.millrace.tasktracker;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.tracker.TrackerCaller;
import io.millrace.tasktracker.internal.pull.TrackerPulls;
import java.util.concurrent.CompletableFuture;

/** Sends pulls, so that the pull loop does not know how connections are made. Thread-safe. */
record PullCalls(TrackerCaller tracker) implements TrackerPulls {

  @Override
  public CompletableFuture<PullReply> pull(PullRequest request) {
    return tracker.call(request, TaskTrackerConfig.PULL_TIMEOUT);
  }

  @Override
  public void prefer(String address) {
    tracker.prefer(address);
  }

  @Override
  public void preferAnother() {
    tracker.preferAnother();
  }
}
