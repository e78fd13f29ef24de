package io.millrace.jobtracker.generate;

import io.millrace.jobtracker.disposition.EndRecorder;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.TriggerEnd;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.StoreUnavailableException;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tops up the triggers of one node group's recurring jobs, and marks the jobs FINISHED whose last
 * trigger has ended. Jobs that write their triggers one at a time never come by here. Thread-safe.
 */
public final class TriggerGenerator {
  private static final Logger LOG = LoggerFactory.getLogger(TriggerGenerator.class);
  private static final int JOBS_PER_TRANSACTION = 50;
  private static final long FAILED_PAUSE_MILLIS = 60_000;

  private final String group;
  private final Stores stores;
  private final JobPlanner planner;
  private final EndRecorder recorder;
  private final IdSequence ids;
  private final Signals signals;

  public TriggerGenerator(
      String group,
      Stores stores,
      JobPlanner planner,
      EndRecorder recorder,
      IdSequence ids,
      Signals signals) {
    this.group = group;
    this.stores = stores;
    this.planner = planner;
    this.recorder = recorder;
    this.ids = ids;
    this.signals = signals;
  }

  /**
   * What one run did.
   *
   * @param jobs jobs looked at
   * @param triggers triggers written
   * @param finished jobs that are over
   * @param failed jobs that could not be generated and are tried again in a while
   */
  public record Generated(int jobs, int triggers, int finished, int failed) {
    static final Generated NOTHING = new Generated(0, 0, 0, 0);

    Generated plus(Generated more) {
      return new Generated(
          jobs + more.jobs,
          triggers + more.triggers,
          finished + more.finished,
          failed + more.failed);
    }

    /** Whether the run changed nothing. */
    public boolean isNothing() {
      return jobs == 0;
    }
  }

  /** Generates for every job whose time to generate has come. */
  public Generated runOnce(long now) {
    Generated total = Generated.NOTHING;
    Generated batch;
    do {
      batch = runBatch(now);
      total = total.plus(batch);
    } while (batch.jobs() == JOBS_PER_TRANSACTION);
    return total;
  }

  /** When a job is to be generated next, in epoch milliseconds; empty if none is. */
  public OptionalLong nextRun() {
    Long next = stores.jobs().nextGenerateAt(group);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** One job's failure must not stop the others: the batch is repeated one by one. */
  private Generated runBatch(long now) {
    try {
      return commit(now, () -> stores.jobs().findToGenerate(group, now, JOBS_PER_TRANSACTION));
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("generate: a batch of {} failed, its jobs are tried one by one", group, e);
      return stores.jobs().findToGenerate(group, now, JOBS_PER_TRANSACTION).stream()
          .map(job -> runAlone(job, now))
          .reduce(Generated.NOTHING, Generated::plus);
    }
  }

  private Generated runAlone(JobDefinition job, long now) {
    try {
      return commit(now, () -> stores.jobs().find(job.id()).stream().toList());
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("generate: {}/{} (job {}) failed: {}", group, job.taskId(), job.id(), e.toString());
      boolean unused =
          stores
              .jobs()
              .advance(job.fired(job.generatedUntil(), 0, now + FAILED_PAUSE_MILLIS, false));
      return new Generated(1, 0, 0, 1);
    }
  }

  private Generated commit(long now, Supplier<List<JobDefinition>> find) {
    List<WaitingTrigger> stored = new ArrayList<>();
    List<TriggerEnd> missed = new ArrayList<>();
    Generated done =
        stores
            .transactions()
            .inTransaction(
                "generate triggers of " + group,
                () -> {
                  stored.clear();
                  missed.clear();
                  return generate(find, now, stored, missed);
                });
    stored.stream()
        .mapToLong(WaitingTrigger::dueAt)
        .min()
        .ifPresent(due -> signals.triggersStored(group, due));
    if (missed.stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
    return done;
  }

  private Generated generate(
      Supplier<List<JobDefinition>> find,
      long now,
      List<WaitingTrigger> stored,
      List<TriggerEnd> missed) {
    int finished = 0;
    List<JobDefinition> jobs = readLocked(find);
    for (JobDefinition job : jobs) {
      if (job.exhausted()) {
        finished += finishIfOver(job, now);
      } else {
        generate(job, now, stored, missed);
      }
    }
    if (!stored.isEmpty()) {
      stores.waiting().insert(group, stored);
    }
    boolean unused = recorder.record(missed, now);
    return new Generated(jobs.size(), stored.size(), finished, 0);
  }

  /**
   * The write of the jobs' rows comes first: whoever edits them waits, or has won. Only then is the
   * mark read, or a tracker that was held up might go on from one that another has moved since.
   */
  private List<JobDefinition> readLocked(Supplier<List<JobDefinition>> find) {
    Map<Long, Integer> versions = new TreeMap<>();
    find.get().forEach(job -> versions.put(job.id(), job.version()));
    Set<Long> locked = versions.isEmpty() ? Set.of() : stores.jobs().lockActive(versions);
    return locked.isEmpty()
        ? List.of()
        : find.get().stream().filter(job -> locked.contains(job.id())).toList();
  }

  private void generate(
      JobDefinition job, long now, List<WaitingTrigger> stored, List<TriggerEnd> missed) {
    JobPlanner.Planned planned = planner.window(job, now);
    if (!stores.jobs().advance(planned.advanced())) {
      return;
    }
    for (long plannedAt : planned.instants()) {
      stored.add(job.triggerFor(ids.next(now), plannedAt, now));
    }
    SkippedRange gap = planned.missed();
    if (gap != null) {
      missed.add(
          TriggerEnd.ofMissed(
              ids.next(now),
              job,
              gap.from().toEpochMilli(),
              gap.to().toEpochMilli(),
              gap.count(),
              now));
    }
  }

  private int finishIfOver(JobDefinition job, long now) {
    if (!stores.jobs().advance(job.fired(job.generatedUntil(), 0, lookAgainAt(job, now), true))) {
      return 0;
    }
    boolean lives =
        stores.waiting().findByTask(group, job.taskId()).stream()
                .anyMatch(WaitingTrigger::isOfRecurringJob)
            || !stores.executing().findByTasks(group, List.of(job.taskId())).isEmpty();
    return !lives && stores.jobs().replace(job.ended(JobState.FINISHED), job.version()) ? 1 : 0;
  }

  /** Waits as long again as it has waited: soon for a short run, seldom for a long one. */
  private static long lookAgainAt(JobDefinition job, long now) {
    long waited = Math.max(1_000, now - Math.min(now, job.generatedUntil()));
    return now + Math.min(waited, 30_000);
  }
}
