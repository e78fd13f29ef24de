package io.millrace.jobtracker.submit.job;

import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.LedgerStore.Asked;
import io.millrace.jobtracker.store.LedgerStore.SubmittedAs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger says of the submission ids of jobs that are submitted. An id is believed for the
 * request that it came with first, and for no other: an acknowledgement by another's record would
 * be one of a job that is nowhere. Immutable.
 */
public final class SubmissionRecord {
  private final String group;
  private final Asked asked;
  private final Map<String, Set<SubmittedAs>> known;

  private SubmissionRecord(String group, Asked asked, Map<String, Set<SubmittedAs>> known) {
    this.group = group;
    this.asked = asked;
    this.known = known;
  }

  /** Looks the submissions of these jobs up, which ask for one-shots. */
  public static SubmissionRecord ofOneShots(
      LedgerStore ledger, String group, Stream<PendingSubmit> jobs) {
    return read(ledger, group, Asked.ONE_SHOT, jobs);
  }

  /** Looks the submission of a recurring job up. */
  public static SubmissionRecord ofRecurring(LedgerStore ledger, String group, PendingSubmit job) {
    return read(ledger, group, Asked.RECURRING_JOB, Stream.of(job));
  }

  private static SubmissionRecord read(
      LedgerStore ledger, String group, Asked asked, Stream<PendingSubmit> jobs) {
    List<String> ids = jobs.map(job -> job.spec().submissionId()).toList();
    return new SubmissionRecord(group, asked, ledger.knownSubmissions(ids));
  }

  /** Whether the job came by this submission before, and has run or will not. */
  public boolean knows(PendingSubmit job) {
    return seen(job).contains(new SubmittedAs(group, job.taskId(), asked));
  }

  /** The refusal of a job whose submission id is that of another request; null if it is not. */
  public @Nullable SubmitResult refusal(PendingSubmit job) {
    Set<SubmittedAs> seen = seen(job);
    return seen.isEmpty() || knows(job)
        ? null
        : SubmitResult.rejected(
            job.taskId(),
            RejectReason.BAD_SUBMISSION_ID,
            isAnothers(job.spec().submissionId(), seen.iterator().next()));
  }

  private Set<SubmittedAs> seen(PendingSubmit job) {
    return known.getOrDefault(job.spec().submissionId(), Set.of());
  }

  /** What is wrong with a submission id that came as something else. */
  public static String isAnothers(String submissionId, SubmittedAs other) {
    return isAnothers(submissionId, other.nodeGroup(), other.taskId());
  }

  /** Likewise, of what is known by its key. */
  public static String isAnothers(String submissionId, String nodeGroup, String taskId) {
    return "submission id '"
        + submissionId
        + "' is that of another request, about "
        + nodeGroup
        + "/"
        + taskId
        + "; each request needs an id of its own";
  }
}
