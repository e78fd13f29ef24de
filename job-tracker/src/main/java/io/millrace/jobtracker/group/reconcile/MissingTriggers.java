package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every active job has its next trigger, and writes the missing ones. Skips triggers
 * planned for the next few seconds, because they may be on their way to a worker. Thread-safe.
 */
final class MissingTriggers {
  /** Nearer fire times may be on their way to a worker. */
  static final long MARGIN_MILLIS = 5_000;

  /** The generator puts a failed job off for one minute; this is twice that time. */
  static final long LONGEST_PUT_OFF_MILLIS = 120_000;

  /** The most fire times per job and run; the generator writes no more unless configured to. */
  static final int MAX_INSTANTS = 10_000;

  private final JobRepair repair;
  private final String group;
  private final Stores stores;
  private final JobPlanner planner;
  private final GroupReconciler.Options options;

  MissingTriggers(JobRepair repair, JobPlanner planner, GroupReconciler.Options options) {
    this.repair = repair;
    this.group = repair.group();
    this.stores = repair.stores();
    this.planner = planner;
    this.options = options;
  }

  /** The time span that is checked: triggers planned in (from, until]. */
  record Span(long from, long until) {}

  Span span(long now) {
    long from = now + MARGIN_MILLIS;
    return new Span(from, Math.max(from, now + options.ahead().toMillis()));
  }

  void check(JobPage page, long now, ReconcileReport findings) {
    for (JobDefinition job : page.jobs()) {
      if (job.state() == JobState.ACTIVE) {
        findings.attempt(repair.nameOf(job), () -> check(job, page, now, findings));
      }
    }
  }

  private void check(JobDefinition job, JobPage page, long now, ReconcileReport findings) {
    if (isNeverGenerated(job, now)) {
      haveGenerated(job, now, findings);
    }
    if (job.spec().chained()) {
      boolean lives = page.tally(job).planned() > 0 || isCarriedOn(page.executions(job));
      if (!lives && !job.exhausted()) {
        goOn(job, now, findings);
      }
    } else if (page.tally(job).ahead() < expected(job, now).size()) {
      fillUp(job, now, findings);
    }
  }

  // Jobs that the generator does not process.

  /**
   * A job whose triggers are written ahead must always be generated again, if only to check whether
   * it has finished; and before its next fire time, unless the generator put it off.
   */
  private boolean isNeverGenerated(JobDefinition job, long now) {
    Long generateAt = job.generateAt();
    if (job.spec().chained() && !job.exhausted()) {
      return false;
    }
    return generateAt == null
        || (generateAt > now + LONGEST_PUT_OFF_MILLIS
            && generateAt > job.generatedUntil()
            && !planner.instants(job, job.generatedUntil(), generateAt - 1, 1, now).isEmpty());
  }

  private void haveGenerated(JobDefinition suspect, long now, ReconcileReport findings) {
    boolean done =
        repair.inTransaction(
            repair.nameOf(suspect),
            () -> {
              Optional<JobDefinition> job = lockActive(suspect);
              return job.isPresent()
                  && isNeverGenerated(job.get(), now)
                  && stores
                      .jobs()
                      .advance(
                          job.get()
                              .fired(job.get().generatedUntil(), 0, now, job.get().exhausted()));
            });
    if (done) {
      findings.repaired(
          Inconsistency.JOB_NOT_GENERATED,
          1,
          ("%s: its generation was planned for %s, later than its next fire time; its triggers"
                  + " are generated now")
              .formatted(repair.nameOf(suspect), inWords(suspect.generateAt())));
      options.onGenerate().run();
    }
  }

  // Triggers that were written ahead and are lost.

  private List<Long> expected(JobDefinition job, long now) {
    Span span = span(now);
    long until = Math.min(span.until(), job.generatedUntil());
    return planner.instants(job, span.from(), until, MAX_INSTANTS, now);
  }

  private void fillUp(JobDefinition suspect, long now, ReconcileReport findings) {
    List<WaitingTrigger> written =
        repair
            .inTransaction(
                repair.nameOf(suspect), () -> lockActive(suspect).map(job -> write(job, now)))
            .orElse(List.of());
    if (!written.isEmpty()) {
      findings.repaired(
          Inconsistency.TRIGGER_MISSING,
          written.size(),
          "%s: %d of its triggers were missing, planned from %s to %s; they were written again"
              .formatted(
                  repair.nameOf(suspect),
                  written.size(),
                  inWords(written.get(0).plannedFor()),
                  inWords(written.get(written.size() - 1).plannedFor())));
      repair.signals().triggersStored(group, written.get(0).dueAt());
    }
  }

  private List<WaitingTrigger> write(JobDefinition job, long now) {
    if (job.spec().chained()) {
      return List.of();
    }
    Set<TriggerKey> known = knownKeys(job, now);
    List<WaitingTrigger> missing =
        expected(job, now).stream()
            .filter(at -> !known.contains(TriggerKey.planned(job.taskId(), at)))
            .map(at -> planner.trigger(job, repair.ids().next(now), at, now))
            .toList();
    stores.waiting().insert(group, missing);
    return missing;
  }

  /**
   * A trigger moves from waiting to executing to the ledger, and back only under the job's row,
   * which is locked here; so the tables are read in this order.
   */
  private Set<TriggerKey> knownKeys(JobDefinition job, long now) {
    Set<TriggerKey> known = new HashSet<>();
    stores.waiting().findByTask(group, job.taskId()).forEach(row -> known.add(row.key()));
    repair.executionsOf(job).forEach(execution -> known.add(execution.key()));
    Span span = span(now);
    known.addAll(stores.ledger().endedTriggers(job.id(), span.from(), span.until()));
    return known;
  }

  // Chains of triggers that are broken.

  /** Whether the end of one of these executions writes the next trigger. */
  private static boolean isCarriedOn(Collection<Execution> executions) {
    return executions.stream()
        .anyMatch(execution -> execution.spec().chained() && !execution.key().isExtra());
  }

  private void goOn(JobDefinition suspect, long now, ReconcileReport findings) {
    Optional<String> done =
        repair.inTransaction(repair.nameOf(suspect), () -> goOnOnce(suspect, now));
    if (done.isPresent()) {
      findings.repaired(
          Inconsistency.TRIGGER_MISSING,
          1,
          repair.nameOf(suspect)
              + ": no live trigger would have written the next one; "
              + done.get());
      repair.signals().triggersStored(group, now);
    }
  }

  private Optional<String> goOnOnce(JobDefinition suspect, long now) {
    Optional<JobDefinition> job =
        lockActive(suspect).filter(found -> found.spec().chained() && !found.exhausted());
    if (job.isEmpty() || lives(job.get())) {
      return Optional.empty();
    }
    Optional<WaitingTrigger> next = lostAhead(job.get(), now).or(() -> following(job.get(), now));
    next.ifPresent(trigger -> stores.waiting().insert(group, List.of(trigger)));
    return Optional.of(
        next.map(trigger -> "one was written for " + inWords(trigger.plannedFor()))
            .orElse("no fire time is left, so the job becomes FINISHED"));
  }

  /** Plans the next trigger as if the last one had ended just now. */
  private Optional<WaitingTrigger> following(JobDefinition job, long now) {
    JobPlanner.Planned next = planner.next(job, now);
    if (!stores.jobs().advance(next.advanced())) {
      throw new RaceLostException("job " + job.id() + " changed although its row is locked");
    }
    return next.instants().stream()
        .map(at -> planner.trigger(job, repair.ids().next(now), at, now))
        .findFirst();
  }

  private boolean lives(JobDefinition job) {
    return stores.waiting().findByTask(group, job.taskId()).stream()
            .anyMatch(row -> row.isOfRecurringJob() && !row.key().isExtra())
        || isCarriedOn(repair.executionsOf(job));
  }

  /** The lost trigger, if it was planned for later: the job's mark is its fire time. */
  private Optional<WaitingTrigger> lostAhead(JobDefinition job, long now) {
    long mark = job.generatedUntil();
    boolean isOpen =
        mark > now + MARGIN_MILLIS
            && job.firedCount() > 0
            && stores.ledger().endedTriggers(job.id(), mark - 1, mark).isEmpty();
    return isOpen
        ? Optional.of(planner.trigger(job, repair.ids().next(now), mark, now))
        : Optional.empty();
  }

  private Optional<JobDefinition> lockActive(JobDefinition suspect) {
    return repair.lock(suspect.id()).filter(job -> job.state() == JobState.ACTIVE);
  }

  private static String inWords(@Nullable Long millis) {
    return millis == null ? "never" : Instant.ofEpochMilli(millis).toString();
  }
}
