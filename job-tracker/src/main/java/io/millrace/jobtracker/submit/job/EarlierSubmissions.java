package io.millrace.jobtracker.submit.job;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.LedgerStore.Asked;
import io.millrace.jobtracker.store.LedgerStore.SubmittedAs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The submission ids of earlier submits, as the ledger records them. An id is valid only for the
 * request that used it first. If another request with the same id were acknowledged by that record,
 * its job would be acknowledged but never stored. Immutable.
 */
public final class EarlierSubmissions {
  private final String group;
  private final Asked asked;
  private final Map<String, Set<SubmittedAs>> known;

  private EarlierSubmissions(String group, Asked asked, Map<String, Set<SubmittedAs>> known) {
    this.group = group;
    this.asked = asked;
    this.known = known;
  }

  /** Reads the records of submits of one-shots. */
  public static EarlierSubmissions ofOneShots(
      LedgerStore ledger, String group, Stream<PendingSubmit> jobs) {
    return read(ledger, group, Asked.ONE_SHOT, jobs);
  }

  /** Reads the records of a submit of a recurring job. */
  public static EarlierSubmissions ofRecurring(
      LedgerStore ledger, String group, PendingSubmit job) {
    return read(ledger, group, Asked.RECURRING_JOB, Stream.of(job));
  }

  private static EarlierSubmissions read(
      LedgerStore ledger, String group, Asked asked, Stream<PendingSubmit> jobs) {
    List<String> ids = jobs.map(job -> job.spec().submissionId()).toList();
    return new EarlierSubmissions(group, asked, ledger.knownSubmissions(ids));
  }

  /** Whether the same job came with this submission id before and has already ended. */
  public boolean knows(PendingSubmit job) {
    return seen(job).contains(new SubmittedAs(group, job.taskId(), asked));
  }

  /** The rejection of a job whose submission id belongs to another request; null if it does not. */
  public @Nullable SubmitResult refusal(PendingSubmit job) {
    Set<SubmittedAs> seen = seen(job);
    if (seen.isEmpty() || knows(job)) {
      return null;
    }
    SubmittedAs other = seen.iterator().next();
    return SubmitResult.rejected(
        job.taskId(),
        RejectReason.BAD_SUBMISSION_ID,
        isAnothers(job.spec().submissionId(), other.nodeGroup(), other.taskId()));
  }

  private Set<SubmittedAs> seen(PendingSubmit job) {
    return known.getOrDefault(job.spec().submissionId(), Set.of());
  }

  /** The error message for a submission id that belongs to another request, about this task id. */
  public static String isAnothers(String submissionId, String nodeGroup, String taskId) {
    return "submission id '"
        + submissionId
        + "' belongs to another request, about "
        + nodeGroup
        + "/"
        + taskId
        + "; each request needs its own id";
  }
}
