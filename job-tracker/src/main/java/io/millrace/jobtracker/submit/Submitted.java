package io.millrace.jobtracker.submit;

import io.millrace.api.SubmitResult;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.submit.job.NewVersions;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * The results of one transaction of submits so far: the answers, and the signals to send to other
 * services after the commit. A repeated transaction uses a new instance. Not thread-safe.
 */
final class Submitted {
  private final IdentityHashMap<PendingSubmit, SubmitResult> answers = new IdentityHashMap<>();
  private final List<WaitingTrigger> stored = new ArrayList<>();
  private final NewVersions versions = new NewVersions();
  private boolean hasFeedback;
  private boolean metWaiting;

  void answer(PendingSubmit job, SubmitResult result) {
    answers.put(job, result);
  }

  SubmitResult answer(PendingSubmit job) {
    return Objects.requireNonNull(answers.get(job));
  }

  boolean isAnswered(PendingSubmit job) {
    return answers.containsKey(job);
  }

  void stored(WaitingTrigger trigger) {
    stored.add(trigger);
  }

  /** The waiting rows written. */
  List<WaitingTrigger> stored() {
    return stored;
  }

  /** The versions of recurring jobs that the transaction writes at its end. */
  NewVersions versions() {
    return versions;
  }

  /** Records that a task id that was looked up is waiting. */
  void metWaiting() {
    metWaiting = true;
  }

  boolean hasMetWaiting() {
    return metWaiting;
  }

  void storedFeedback(boolean any) {
    hasFeedback |= any;
  }

  /** Whether there is feedback to push. */
  boolean hasFeedback() {
    return hasFeedback;
  }
}
