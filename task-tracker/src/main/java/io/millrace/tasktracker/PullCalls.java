package io.millrace.tasktracker;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.tracker.TrackerCaller;
import io.millrace.tasktracker.internal.keep.ProgressBoard;
import io.millrace.tasktracker.internal.pull.TrackerPulls;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends pulls, with news of progress, so that the pull loop does not know how connections are made.
 * Thread-safe.
 */
record PullCalls(TrackerCaller tracker, ProgressBoard progress) implements TrackerPulls {

  @Override
  public CompletableFuture<PullReply> pull(PullRequest request) {
    List<ExecutionProgress> news = progress.take();
    if (news == null) {
      return tracker.call(request, TaskTrackerConfig.PULL_TIMEOUT);
    }
    return tracker
        .call(request.with(news), TaskTrackerConfig.PULL_TIMEOUT)
        .whenComplete(
            (reply, failure) -> {
              if (reply == null || reply.status() != PullStatus.SERVED) {
                progress.again();
              }
            });
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
