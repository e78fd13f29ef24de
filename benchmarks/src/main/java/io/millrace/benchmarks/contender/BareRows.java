package io.millrace.benchmarks.contender;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.outcome.CompletionDecision;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The rows that a tracker would write for a job that succeeds at its first attempt. */
final class BareRows {
  private static final int PRIORITY = io.millrace.api.Job.DEFAULT_PRIORITY;
  private static final String CLIENT = "bench-0123456789abcdef0123456789abcdef";
  private static final String WORKER = "bench-fedcba9876543210fedcba9876543210";

  private BareRows() {}

  static WaitingTrigger waiting(IdSequence ids, JsonCodec codec, BenchJob job, long now) {
    long id = ids.next(now);
    // As long as the ids that clients create, and increasing like them.
    HexFormat hex = HexFormat.of();
    String submission = hex.toHexDigits(now, 12) + hex.toHexDigits(id, 12) + "0123456789abcdef";
    TriggerSpec spec =
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "default", submission, CLIENT);
    String params = codec.encodeText(Map.of(MillraceClient.PAYLOAD, job.payload()));
    return WaitingTrigger.oneShot(
        id,
        job.key(),
        job.dueAt(),
        PRIORITY,
        now,
        spec,
        new StoredParams(params.getBytes(StandardCharsets.UTF_8).length, params));
  }

  static Execution claimed(IdSequence ids, WaitingTrigger row, long now) {
    return Execution.claim(
        ids.next(now), MillraceTables.GROUP, row, Objects.requireNonNull(row.spec()), WORKER, now);
  }

  static LedgerEntry ended(Execution execution, long now) {
    Instant at = Instant.ofEpochMilli(now);
    ExecutionResult result =
        new ExecutionResult(execution.id(), Outcome.SUCCESS, null, null, List.of(), at, at);
    return TriggerCompletion.of(
            execution,
            new AttemptOutcome.Reported(result, WORKER),
            new CompletionDecision(LedgerStatus.SUCCEEDED, null, 0, 0),
            now)
        .row();
  }

  static String payload(JsonCodec codec, Execution execution) {
    Map<String, String> params =
        codec.decodeStrings(Objects.requireNonNull(execution.params().json()));
    return Objects.requireNonNull(params.get(MillraceClient.PAYLOAD));
  }
}
