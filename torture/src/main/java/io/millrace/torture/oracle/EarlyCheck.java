package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no invocation begins before its instant, before its attempt is due, or before its job
 * permits it.
 */
final class EarlyCheck implements Check {
  /** Times are truncated to milliseconds, at different points on different clocks. */
  private static final long ROUNDING_MILLIS = 1;

  /** The default window of a misfire policy; longer than any run. */
  private static final long LONGEST_WINDOW_MILLIS = MisfirePolicy.DEFAULT_WINDOW.toMillis();

  private final Duration misfireThreshold;

  EarlyCheck(Duration misfireThreshold) {
    this.misfireThreshold = misfireThreshold;
  }

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<Call>> calls = records.callsByJob();
    for (Run run : records.runs()) {
      @Nullable LoadJob job = records.jobs().get(run.key());
      long allowed = Math.max(run.dueAt(), run.plannedFor());
      if (job != null && job.timing().kind() == Timing.Kind.AT) {
        allowed = Math.max(allowed, job.timing().start());
      }
      if (job != null && job.timing().kind() == Timing.Kind.NOW) {
        allowed = Math.max(allowed, calls.getOrDefault(run.key(), List.of()).get(0).askedAt());
      }
      if (run.beganAt() < allowed - ROUNDING_MILLIS) {
        findings.broken(
            Promise.EARLY,
            "execution %d of %s planned for %s began at %s on %s, %d ms before it might (due %s)"
                .formatted(
                    run.executionId(),
                    run.key(),
                    at(run.plannedFor()),
                    at(run.beganAt()),
                    run.process(),
                    allowed - run.beganAt(),
                    at(run.dueAt())));
      }
    }
    Function<LedgerEntry, String> keys = records.jobKeys();
    for (List<LedgerEntry> rows : records.byTrigger().values()) {
      @Nullable LoadJob job = records.jobs().get(keys.apply(rows.get(0)));
      if (job != null) {
        attempts(rows, job, findings);
      }
    }
  }

  private void attempts(List<LedgerEntry> rows, LoadJob job, Findings findings) {
    firstAttempt(rows.get(0), job, findings);
    for (int i = 1; i < rows.size(); i++) {
      LedgerEntry before = rows.get(i - 1);
      LedgerEntry after = rows.get(i);
      long pause = pauseAfter(before);
      if (after.isExecution()
          && after.id() > before.id()
          && after.dueAt() < before.finishedAt() + pause - ROUNDING_MILLIS) {
        findings.broken(
            Promise.EARLY,
            "execution %d of %s was due at %s, less than %d ms after %d had ended %s at %s"
                .formatted(
                    after.id(),
                    after.key(),
                    at(after.dueAt()),
                    pause,
                    before.id(),
                    before.status(),
                    at(before.finishedAt())));
      }
    }
  }

  private static long pauseAfter(LedgerEntry row) {
    return row.status() == LedgerStatus.RETRIED
        ? LoadJob.RETRY_DELAY.toMillis()
        : row.status() == LedgerStatus.POSTPONED ? Behaviour.LATER_BY.toMillis() : 0;
  }

  /**
   * Checks that a missed trigger of the schedule was not claimed: with policy NONE after the
   * misfire threshold, and with policies other than ALL once the next instant stands for it.
   * Exempts chained jobs and overlap QUEUE, because a trigger that waits for its turn is not late.
   */
  private void firstAttempt(LedgerEntry row, LoadJob job, Findings findings) {
    MisfirePolicy.Kind kind = job.misfire().kind();
    boolean isBound =
        row.ordinal() == 0
            && job.timing().isRecurring()
            && !job.timing().isChained()
            && job.overlap().kind() != OverlapPolicy.Kind.QUEUE
            && kind != MisfirePolicy.Kind.ALL;
    long late =
        kind == MisfirePolicy.Kind.NONE ? misfireThreshold.toMillis() : LONGEST_WINDOW_MILLIS;
    if (isBound
        && row.claimedAt() != null
        && row.claimedAt() > job.timing().inTimeUntil(row.plannedFor(), late)) {
      findings.broken(
          Promise.EARLY,
          "execution %d of %s planned for %s was claimed at %s, when it was missed"
              .formatted(row.id(), row.key(), at(row.plannedFor()), at(row.claimedAt())));
    }
  }
}
