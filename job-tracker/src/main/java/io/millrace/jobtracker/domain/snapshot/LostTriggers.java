package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds triggers that should wait, run or have ended, and do none of these. A trigger that moved
 * while the store was read may look lost too, so the caller reads once more before it reports one.
 */
public final class LostTriggers {
  /** How far back fire times are checked: as far as triggers are written ahead. */
  private static final long LOOK_BACK_MILLIS = 600_000;

  private static final int MOST = 1_000;

  private final TaskSnapshot found;
  private final @Nullable Fires fires;
  private final Set<TriggerKey> alive = new HashSet<>();

  public LostTriggers(TaskSnapshot found, @Nullable Fires fires) {
    this.found = found;
    this.fires = fires;
    found.waiting().stream().map(WaitingTrigger::key).forEach(alive::add);
    found.coming().stream().map(WaitingTrigger::key).forEach(alive::add);
    found.executing().stream().map(Execution::key).forEach(alive::add);
  }

  public boolean isAny() {
    return !lostFireTimes().isEmpty() || lacksItsOneTrigger() || unfinished().isPresent();
  }

  /**
   * Fire times of a job that is not chained, whose triggers were written and are gone without a
   * trace.
   */
  public List<Long> lostFireTimes() {
    JobDefinition job = found.job();
    if (job == null || fires == null || isCut() || !isActive(job) || job.spec().chained()) {
      return List.of();
    }
    long from = Math.max(job.acceptedAt() - 1, found.now() - LOOK_BACK_MILLIS);
    if (found.ends().size() == TaskSnapshot.MAX_ENDS) {
      from = Math.max(from, found.ends().get(found.ends().size() - 1).plannedFor());
    }
    List<Long> lost = new ArrayList<>();
    for (long at : fires.between(from, Math.min(found.now(), job.generatedUntil()), MOST)) {
      if (isLost(job, at)) {
        lost.add(at);
      }
    }
    for (long at : fires.between(found.now(), job.generatedUntil(), 1)) {
      if (isLost(job, at)) {
        lost.add(at);
      }
    }
    return lost;
  }

  /** Whether a chained job has no trigger that waits or runs, although one should follow. */
  public boolean lacksItsOneTrigger() {
    JobDefinition job = found.job();
    return job != null
        && isActive(job)
        && job.spec().chained()
        && !job.exhausted()
        && !isCut()
        && alive.stream().noneMatch(key -> !key.isExtra() && key.plannedAt() > 0);
  }

  /** The last row of a trigger that should go on, but neither waits nor runs. */
  public Optional<LedgerEntry> unfinished() {
    if (isCut() || found.ends().isEmpty()) {
      return Optional.empty();
    }
    TriggerKey key = found.ends().get(0).key();
    return found.lastAttempt(key).filter(row -> !row.status().isFinal() && !alive.contains(key));
  }

  private static boolean isActive(JobDefinition job) {
    return job.state() == JobState.ACTIVE;
  }

  private boolean isCut() {
    return found.waiting().size() == TaskSnapshot.MAX_WAITING
        || found.executing().size() == TaskSnapshot.MAX_EXECUTING;
  }

  private boolean isLost(JobDefinition job, long plannedFor) {
    return !alive.contains(TriggerKey.planned(job.taskId(), plannedFor)) && !hasEnded(plannedFor);
  }

  private boolean hasEnded(long plannedFor) {
    return found.ends().stream()
        .anyMatch(
            row ->
                row.status().isFinal()
                    && !row.key().isExtra()
                    && row.plannedFor() <= plannedFor
                    && row.plannedTo() >= plannedFor);
  }
}
