package io.millrace.jobtracker.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompletionRulesTest {
  private static final long NOW = 1_000_000;
  private static final RetryPolicy TWICE =
      new RetryPolicy(
          2, Duration.ofSeconds(10), Duration.ofMinutes(1), 3, 0, List.of("java.io.IOException"));

  private final CompletionRules rules = new CompletionRules(new Random(1));

  /** Attempt 1 of 3 has attempts left; attempt 3 is the last. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // outcome,       attempt, status,    next attempt, waits ms
        "SUCCESS,         1,       SUCCEEDED, -,            -",
        "SUCCESS,         3,       SUCCEEDED, -,            -",
        "FAILED,          1,       FAILED,    -,            -",
        "FAILED,          3,       FAILED,    -,            -",
        "LATER,           1,       POSTPONED, 1,            7000",
        "LATER,           3,       POSTPONED, 3,            7000",
        "EXCEPTION,       1,       RETRIED,   2,            10000",
        "EXCEPTION,       2,       RETRIED,   3,            30000",
        "EXCEPTION,       3,       DEAD,      -,            -",
        "UNKNOWN,         1,       RETRIED,   2,            10000",
        "UNKNOWN,         3,       DEAD,      -,            -",
        "TIMED_OUT,       1,       RETRIED,   2,            10000",
        "TIMED_OUT,       2,       RETRIED,   3,            30000",
        "TIMED_OUT,       3,       DEAD,      -,            -",
        "LEASE_LOST,      1,       RETURNED,  1,            0",
        "LEASE_LOST,      3,       RETURNED,  3,            0",
        "INTERRUPTED,     1,       RETURNED,  1,            0",
        "INTERRUPTED,     3,       RETURNED,  3,            0",
        "NOT_STARTED,     1,       RETURNED,  1,            0",
        "NOT_STARTED,     3,       RETURNED,  3,            0",
        "UNKNOWN_HANDLER, 1,       RETURNED,  1,            5000",
        "UNKNOWN_HANDLER, 3,       RETURNED,  3,            5000",
        "NEVER_RECEIVED,  1,       RETURNED,  1,            0",
        "NEVER_RECEIVED,  3,       RETURNED,  3,            0",
        "LOST,            1,       RESCUED,   2,            0",
        "LOST,            2,       RESCUED,   3,            0",
        "LOST,            3,       DEAD,      -,            -"
      })
  void everyEndHasItsVerdict(
      End end,
      int attempt,
      LedgerStatus status,
      @Nullable Integer nextAttempt,
      @Nullable Long waitMillis) {
    Execution execution = SampleTriggers.execution(7, attempt, TWICE);

    CompletionDecision verdict = rules.decide(execution, end.of(7), NOW);

    assertThat(verdict.status()).isEqualTo(status);
    assertThat(verdict.goesBack()).isEqualTo(nextAttempt != null);
    if (nextAttempt != null && waitMillis != null) {
      assertThat(verdict.nextAttempt()).isEqualTo(nextAttempt);
      assertThat(verdict.nextDueAt()).isEqualTo(NOW + waitMillis);
    }
  }

  /** What was claimed ahead of its time can come back before it; that is no reason to begin. */
  @ParameterizedTest
  @EnumSource(End.class)
  void nextAttemptIsNeverDueBeforeThisOneWas(End end) {
    Execution ahead = SampleTriggers.execution(7, 1, TWICE);
    long before = ahead.dueAt() - 20;

    CompletionDecision verdict = rules.decide(ahead, end.of(7), before);

    assertThat(verdict.goesBack())
        .isEqualTo(rules.decide(ahead, end.of(7), ahead.dueAt()).goesBack());
    if (verdict.goesBack()) {
      assertThat(verdict.nextDueAt()).isGreaterThanOrEqualTo(ahead.dueAt());
    }
  }

  /** A success still counts, as does what ends the trigger anyhow; nothing else follows. */
  @ParameterizedTest
  @EnumSource(End.class)
  void noAttemptFollowsOnceStopWasRequested(End end) {
    for (int attempt = 1; attempt <= 3; attempt++) {
      Execution running = SampleTriggers.execution(7, attempt, TWICE);
      CompletionDecision unstopped = rules.decide(running, end.of(7), NOW);

      CompletionDecision verdict =
          rules.decide(SampleTriggers.stopRequested(running), end.of(7), NOW);

      assertThat(verdict.status())
          .isEqualTo(unstopped.goesBack() ? LedgerStatus.CANCELLED : unstopped.status());
    }
  }

  @Test
  void everyOutcomeOfTheWireIsInTheTable() {
    Set<Outcome> covered = EnumSet.noneOf(Outcome.class);
    Stream.of(End.values())
        .map(end -> end.of(7))
        .filter(AttemptOutcome.Reported.class::isInstance)
        .forEach(end -> covered.add(((AttemptOutcome.Reported) end).result().outcome()));

    assertThat(covered).containsExactlyInAnyOrder(Outcome.values());
  }

  @Test
  void timeoutSaysAfterHowLong() {
    Execution first = timingOut(1, Duration.ofSeconds(30));
    Execution last = timingOut(3, Duration.ofMillis(1_500));

    assertThat(rules.decide(first, End.TIMED_OUT.of(7), NOW).cause())
        .isEqualTo(Cause.of(CauseCode.TIMED_OUT_SECONDS, 30));
    assertThat(rules.decide(last, End.TIMED_OUT.of(7), NOW).cause())
        .isEqualTo(
            Cause.of(CauseCode.TIMED_OUT_MILLIS, 1500).and(Cause.of(CauseCode.ATTEMPTS_USED_UP)));
  }

  private static Execution timingOut(int attempt, Duration timeout) {
    Execution plain = SampleTriggers.execution(7, attempt, TWICE);
    TriggerSpec spec =
        new TriggerSpec(
            null, TWICE, timeout, null, null, false, false, "shop", "s", "c", null, null);
    return new Execution(
        plain.id(),
        plain.nodeGroup(),
        plain.core(),
        plain.dueAt(),
        plain.priority(),
        plain.generatedAt(),
        spec,
        plain.params(),
        plain.workerId(),
        plain.claimedAt(),
        false,
        false,
        null);
  }

  /**
   * What the invocation threw while it was interrupted says nothing; what it says itself counts.
   */
  @ParameterizedTest
  @EnumSource(End.class)
  void terminatedExecutionEndsAsCancelledUnlessTheJobSaysHowItEnded(End end) {
    for (int attempt = 1; attempt <= 3; attempt++) {
      Execution running = SampleTriggers.execution(7, attempt, TWICE);
      CompletionDecision untouched = rules.decide(running, end.of(7), NOW);

      CompletionDecision verdict = rules.decide(SampleTriggers.terminated(running), end.of(7), NOW);

      if (end == End.SUCCESS || end == End.FAILED) {
        assertThat(verdict).isEqualTo(untouched);
      } else {
        assertThat(verdict)
            .isEqualTo(
                new CompletionDecision(
                    LedgerStatus.CANCELLED, Cause.of(CauseCode.TERMINATED_BY, "ops/alice"), 0, 0));
      }
    }
  }

  @Test
  void noRetriesMeansAtMostOneAttemptThatCounts() {
    Execution execution = SampleTriggers.execution(7, 1, RetryPolicy.NONE);

    CompletionDecision verdict = rules.decide(execution, End.EXCEPTION.of(7), NOW);
    assertThat(verdict.status()).isEqualTo(LedgerStatus.DEAD);
    assertThat(verdict.cause()).isEqualTo(Cause.of(CauseCode.ATTEMPTS_USED_UP));
    assertThat(rules.decide(execution, End.LOST.of(7), NOW).status()).isEqualTo(LedgerStatus.DEAD);
  }

  @Test
  void exceptionThatAllowsNoRetryIsNotRetriedWhateverThePolicySays() {
    Execution execution = SampleTriggers.execution(7, 1, TWICE);
    AttemptOutcome end =
        new AttemptOutcome.Reported(
            new ExecutionResult(
                7,
                Outcome.EXCEPTION,
                null,
                null,
                List.of("io.millrace.api.NotRetryableException"),
                null,
                Instant.EPOCH,
                null,
                true),
            "worker-1");

    CompletionDecision verdict = rules.decide(execution, end, NOW);

    assertThat(verdict.status()).isEqualTo(LedgerStatus.DEAD);
    assertThat(verdict.cause()).isEqualTo(Cause.of(CauseCode.NOT_RETRYABLE_BY_JOB));
  }

  @Test
  void exceptionThatThePolicyNamesIsNotRetriedNorAreItsSubclasses() {
    Execution execution = SampleTriggers.execution(7, 1, TWICE);
    AttemptOutcome end =
        reported(
            Outcome.EXCEPTION,
            null,
            List.of("java.io.FileNotFoundException", "java.io.IOException", "java.lang.Exception"));

    CompletionDecision verdict = rules.decide(execution, end, NOW);

    assertThat(verdict.status()).isEqualTo(LedgerStatus.DEAD);
    assertThat(verdict.cause()).isEqualTo(Cause.of(CauseCode.NOT_RETRYABLE));
    for (List<String> others :
        List.of(List.<String>of(), List.of("java.lang.RuntimeException", "java.lang.Exception"))) {
      assertThat(rules.decide(execution, reported(Outcome.EXCEPTION, null, others), NOW).status())
          .isEqualTo(LedgerStatus.RETRIED);
    }
  }

  @Test
  void laterWithoutADelayOrWithANegativeOneIsDueAtOnce() {
    Execution execution = SampleTriggers.execution(7, 1, TWICE);

    for (Duration delay : new Duration[] {null, Duration.ZERO, Duration.ofSeconds(-5)}) {
      assertThat(
              rules.decide(execution, reported(Outcome.LATER, delay, List.of()), NOW).nextDueAt())
          .isEqualTo(NOW);
    }
  }

  /** A result that cannot be taken in would be sent again for ever. */
  @Test
  void laterForEverIsTenYears() {
    Execution execution = SampleTriggers.execution(7, 1, TWICE);

    for (Duration delay :
        List.of(Duration.ofSeconds(Long.MAX_VALUE), ChronoUnit.FOREVER.getDuration())) {
      assertThat(
              rules.decide(execution, reported(Outcome.LATER, delay, List.of()), NOW).nextDueAt())
          .isEqualTo(NOW + Duration.ofDays(3_650).toMillis());
    }
    assertThat(
            rules
                .decide(
                    execution,
                    reported(Outcome.LATER, Duration.ofSeconds(Long.MIN_VALUE), List.of()),
                    NOW)
                .nextDueAt())
        .isEqualTo(NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    CANCELLED, EDITED_WHILE_EXECUTING",
    "PAUSED,    SKIPPED,   PAUSED_WHILE_EXECUTING",
    "FINISHED,  CANCELLED, ENDED_WHILE_EXECUTING",
    "CANCELLED, CANCELLED, ENDED_WHILE_EXECUTING"
  })
  void triggerThatMayNotGoBackEndsByWhatBecameOfItsJob(
      JobState state, LedgerStatus status, CauseCode code) {
    assertThat(rules.withoutItsJob(state))
        .isEqualTo(new CompletionDecision(status, Cause.of(code), 0, 0));
  }

  @Test
  void whatRunsAtMostOnceIsNotGivenBackOnceItHasBegun() {
    Execution execution = SampleTriggers.execution(7, 1, RetryPolicy.NONE);

    assertThat(rules.decide(execution, interrupted(Instant.EPOCH), NOW).status())
        .isEqualTo(LedgerStatus.DEAD);
    assertThat(rules.decide(execution, interrupted(null), NOW).status())
        .isEqualTo(LedgerStatus.RETURNED);
    assertThat(
            rules
                .decide(SampleTriggers.execution(7, 1, TWICE), interrupted(Instant.EPOCH), NOW)
                .status())
        .isEqualTo(LedgerStatus.RETURNED);
  }

  private static AttemptOutcome interrupted(@Nullable Instant startedAt) {
    return new AttemptOutcome.Reported(
        new ExecutionResult(
            7, Outcome.INTERRUPTED, null, null, List.of(), startedAt, Instant.EPOCH),
        "worker-1");
  }

  @Test
  void everyVerdictIsATransitionThatTheStateMachineKnows() {
    for (JobState state : JobState.values()) {
      assertThat(TriggerState.EXECUTING.next())
          .contains(TriggerState.after(rules.withoutItsJob(state).status()));
    }
    for (End end : End.values()) {
      for (int attempt = 1; attempt <= 3; attempt++) {
        Execution execution = SampleTriggers.execution(7, attempt, TWICE);
        assertThat(TriggerState.EXECUTING.next())
            .contains(TriggerState.after(rules.decide(execution, end.of(7), NOW).status()));
      }
    }
  }

  /** Every way an execution can end. */
  enum End {
    SUCCESS,
    FAILED,
    LATER,
    EXCEPTION,
    UNKNOWN,
    TIMED_OUT,
    LEASE_LOST,
    INTERRUPTED,
    NOT_STARTED,
    UNKNOWN_HANDLER,
    NEVER_RECEIVED,
    LOST;

    AttemptOutcome of(long executionId) {
      return switch (this) {
        case NEVER_RECEIVED -> new AttemptOutcome.NeverReceived(executionId, 1);
        case LOST -> new AttemptOutcome.LeaseExpired(executionId, 1);
        default -> reported(Outcome.valueOf(name()), Duration.ofSeconds(7), List.of("a.B"));
      };
    }
  }

  private static AttemptOutcome reported(
      Outcome outcome, @Nullable Duration delay, List<String> exceptionTypes) {
    return new AttemptOutcome.Reported(
        new ExecutionResult(7, outcome, null, delay, exceptionTypes, null, Instant.EPOCH),
        "worker-1");
  }
}
