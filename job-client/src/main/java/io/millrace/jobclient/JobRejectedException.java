package io.millrace.jobclient;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A job was rejected: it is not stored and will not run. The message names the job, the reason, and
 * what is wrong. Submitting the same job again is rejected again, unless {@link
 * RejectReason#mayPass}.
 */
public final class JobRejectedException extends JobClientException {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;
  private final transient List<SubmitResult> results;

  private JobRejectedException(String message, RejectReason reason, List<SubmitResult> results) {
    super(message);
    this.reason = reason;
    this.results = List.copyOf(results);
  }

  /** Returns the result unless it is a rejection, which it throws. */
  static SubmitResult check(String nodeGroup, SubmitResult result) {
    if (!isRejected(result)) {
      return result;
    }
    String message = "job " + nodeGroup + "/" + describe(result);
    throw new JobRejectedException(message, reasonOf(result), List.of(result));
  }

  /** Returns the results of a batch unless one of them is a rejection; otherwise throws. */
  static List<SubmitResult> checkAll(List<SubmitResult> results) {
    List<SubmitResult> rejected =
        results.stream().filter(JobRejectedException::isRejected).toList();
    if (rejected.isEmpty()) {
      return results;
    }
    int first =
        IntStream.range(0, results.size())
            .filter(i -> isRejected(results.get(i)))
            .findFirst()
            .orElse(0);
    String message =
        "%d of %d jobs were rejected; the first is number %d, %s"
            .formatted(rejected.size(), results.size(), first + 1, describe(rejected.get(0)));
    throw new JobRejectedException(message, reasonOf(rejected.get(0)), results);
  }

  private static boolean isRejected(SubmitResult result) {
    return result.status() == SubmitStatus.REJECTED;
  }

  private static String describe(SubmitResult result) {
    return result.taskId() + " is rejected: " + reasonOf(result) + ": " + result.message();
  }

  private static RejectReason reasonOf(SubmitResult result) {
    return Objects.requireNonNullElse(result.reason(), RejectReason.UNKNOWN);
  }

  /** Returns the reason; of a batch, that of the first rejected job. */
  public RejectReason reason() {
    return reason;
  }

  /** Returns the rejection; of a batch, that of the first rejected job. */
  public SubmitResult result() {
    return results().stream().filter(JobRejectedException::isRejected).findFirst().orElseThrow();
  }

  /**
   * Returns, for a batch, one result per job, in the order of the jobs: those that are not rejected
   * are stored. For one job, its result alone.
   */
  public List<SubmitResult> results() {
    return results == null ? List.of() : results;
  }
}
