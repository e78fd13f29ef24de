package io.millrace.console.api.job;

import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a job was submitted.
 *
 * @param feedback whether its client group is notified of each trigger's end
 * @param clientGroup of the submitting client; empty for an operator
 * @param submittedBy node id of the client, or {@code operator/} and the name of a token
 * @param traceParent of the trace in which it was submitted; null if none
 * @param traceState vendor data of that trace; null if none
 * @param acceptedAt when this version was accepted
 */
public record JobOrigin(
    boolean feedback,
    String clientGroup,
    String submissionId,
    String submittedBy,
    @Nullable String traceParent,
    @Nullable String traceState,
    Instant acceptedAt) {

  static JobOrigin of(TriggerSpec spec, long acceptedAt) {
    return new JobOrigin(
        spec.feedback(),
        spec.clientGroup(),
        spec.submissionId(),
        spec.submittedBy(),
        spec.traceParent(),
        spec.traceState(),
        Instant.ofEpochMilli(acceptedAt));
  }
}
