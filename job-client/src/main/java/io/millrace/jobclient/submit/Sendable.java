package io.millrace.jobclient.submit;

import io.millrace.common.model.Job;
import io.millrace.common.model.ParamsLimit;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.SubmitResult;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps back jobs that no request can carry. What can be sent is judged by the tracker, in one
 * place.
 */
public final class Sendable {
  private Sendable() {}

  /**
   * Returns the job.
   *
   * @throws NullPointerException if it, its key or one of its parameters is null
   */
  public static Job requireNonNull(Job job) {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(job.nodeGroup(), "nodeGroup");
    Objects.requireNonNull(job.taskId(), "taskId");
    for (Map.Entry<String, String> param : job.params().entrySet()) {
      String name = Objects.requireNonNull(param.getKey(), "name of a parameter");
      Objects.requireNonNull(param.getValue(), () -> "value of parameter '" + name + "'");
    }
    return job;
  }

  /** The rejection of a job that cannot be written into a frame, or null. */
  static @Nullable SubmitResult rejection(Job job, long bytes, long maxBytes) {
    RetryPolicy retry = job.retry();
    if (!Double.isFinite(retry.multiplier()) || !Double.isFinite(retry.jitter())) {
      return SubmitResult.rejected(
          job.taskId(),
          RejectReason.BAD_RETRY_POLICY,
          "the retry policy's multiplier %s and jitter %s must be finite numbers"
              .formatted(retry.multiplier(), retry.jitter()));
    }
    return bytes <= maxBytes ? null : tooLarge(job, bytes, maxBytes);
  }

  /** In the tracker's own words where it would have refused the job too. */
  private static SubmitResult tooLarge(Job job, long bytes, long maxBytes) {
    String fault = ParamsLimit.faultOf(job.params());
    String message =
        fault != null
            ? fault
            : "the job takes up to %d bytes on the wire; at most %d are allowed"
                .formatted(bytes, maxBytes);
    return SubmitResult.rejected(job.taskId(), RejectReason.PARAMS_TOO_LARGE, message);
  }
}
