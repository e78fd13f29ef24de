package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The results of one transaction of a declaration so far: the answers, and the signals to send to
 * other services after the commit. A repeated transaction uses a new instance. Not thread-safe.
 */
final class DeclareOutcome {
  private final @Nullable DeclareReply refusal;
  private final Submitted submitted = new Submitted();
  private final IdentityHashMap<DeclaredEntry, JobResult> answers = new IdentityHashMap<>();
  private final List<Stopped> stopped = new ArrayList<>();
  private final List<String> revertedTasks = new ArrayList<>();

  /**
   * Creates an outcome without results.
   *
   * @param refusal the answer if the declaration was not admitted; null if it was
   */
  DeclareOutcome(@Nullable DeclareReply refusal) {
    this.refusal = refusal;
  }

  @Nullable DeclareReply refusal() {
    return refusal;
  }

  /** The triggers and the feedback that were stored. */
  Submitted submitted() {
    return submitted;
  }

  void answer(DeclaredEntry entry, Change change, @Nullable String message) {
    answer(entry, entry.result(change, message));
  }

  void answer(DeclaredEntry entry, JobResult result) {
    answers.put(entry, result);
  }

  JobResult answer(DeclaredEntry entry) {
    return Objects.requireNonNull(answers.get(entry));
  }

  /** Records that the runs of a job were asked to stop. */
  void stopped(Stopped runs) {
    stopped.add(runs);
  }

  List<Stopped> stopped() {
    return stopped;
  }

  /** Records that the same revision has gone back to a former definition more than once. */
  void reverted(String taskId) {
    revertedTasks.add(taskId);
  }

  /** The task ids of jobs that two sets of one revision change in turn. */
  List<String> revertedTasks() {
    return revertedTasks;
  }
}
