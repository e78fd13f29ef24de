package io.millrace.jobclient.internal.submit;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.ParamsLimit;
import io.millrace.internal.protocol.PauseRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rejects jobs that no request can carry. The tracker checks all others, so that the rules are in
 * one place.
 */
public final class Sendable {
  private Sendable() {}

  /**
   * Returns the job after a null check.
   *
   * @throws NullPointerException if the job, its key or one of its parameters is null
   */
  public static Job requireNonNull(Job job) {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(job.nodeGroup(), "nodeGroup");
    Objects.requireNonNull(job.taskId(), "taskId");
    checkNoNull(job.params());
    return job;
  }

  /**
   * Returns a copy of the parameters.
   *
   * @throws NullPointerException if the map, or one of its names or values, is null
   */
  public static Map<String, String> requireNoNull(Map<String, String> params) {
    Map<String, String> copy = new LinkedHashMap<>(params);
    checkNoNull(copy);
    return copy;
  }

  private static void checkNoNull(Map<String, String> params) {
    for (Map.Entry<String, String> param : params.entrySet()) {
      String name = Objects.requireNonNull(param.getKey(), "name of a parameter");
      Objects.requireNonNull(param.getValue(), () -> "value of parameter '" + name + "'");
    }
  }

  /** Returns what is wrong with the length of a reason to pause, or null. */
  public static @Nullable String faultOfReason(String reason) {
    int characters = reason.codePointCount(0, reason.length());
    return characters <= PauseRequest.MAX_REASON_CHARS
        ? null
        : "the reason has %d characters; at most %d are allowed"
            .formatted(characters, PauseRequest.MAX_REASON_CHARS);
  }

  /**
   * Returns the rejection of a job that cannot be written into a frame, or null.
   *
   * @throws NullPointerException if its key or one of its parameters is null
   */
  public static @Nullable SubmitResult rejection(Job job) {
    return rejection(job, EncodedSize.of(job), SubmitBounds.MAX_JOB_BYTES);
  }

  /** As the other method, for a job of this estimated size and another bound. */
  public static @Nullable SubmitResult rejection(Job job, long bytes, long maxBytes) {
    RetryPolicy retry = requireNonNull(job).retry();
    if (!Double.isFinite(retry.multiplier()) || !Double.isFinite(retry.jitter())) {
      return SubmitResult.rejected(
          job.taskId(),
          RejectReason.BAD_RETRY_POLICY,
          "the retry policy's multiplier %s and jitter %s must be finite numbers"
              .formatted(retry.multiplier(), retry.jitter()));
    }
    return bytes <= maxBytes ? null : tooLarge(job, bytes, maxBytes);
  }

  /**
   * Rejects a job that is too large, in the words of the tracker if the tracker would reject it
   * too.
   */
  private static SubmitResult tooLarge(Job job, long bytes, long maxBytes) {
    String fault = ParamsLimit.faultOf(job.params());
    String message =
        fault != null
            ? fault
            : "the job has up to %d bytes on the wire; at most %d are allowed"
                .formatted(bytes, maxBytes);
    return SubmitResult.rejected(job.taskId(), RejectReason.PARAMS_TOO_LARGE, message);
  }
}
