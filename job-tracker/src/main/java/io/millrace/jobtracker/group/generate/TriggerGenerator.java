package io.millrace.jobtracker.group.generate;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.JobStore.Advance;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the next triggers of one node group's recurring jobs, and marks a job FINISHED when its
 * last trigger has ended. Chained jobs, whose triggers are written one at a time, are generated
 * elsewhere; they come here only when no fire time is left, to be finished. Thread-safe.
 */
public final class TriggerGenerator {
  private static final Logger LOG = LoggerFactory.getLogger(TriggerGenerator.class);
  private static final int JOBS_PER_TRANSACTION = 250;

  /** Enough for large statements; a transaction with this many triggers takes no further job. */
  private static final int TRIGGERS_PER_TRANSACTION = 2_000;

  private final String group;
  private final Stores stores;
  private final JobPlanner planner;
  private final CompletionRecorder recorder;
  private final IdSequence ids;
  private final Signals signals;

  public TriggerGenerator(
      String group,
      Stores stores,
      JobPlanner planner,
      CompletionRecorder recorder,
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
   * The result of one run.
   *
   * @param jobs jobs processed
   * @param triggers triggers written
   * @param finished jobs that are over
   * @param failed jobs that could not be generated and are retried later
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

  /**
   * The result of one batch.
   *
   * @param isAll whether no job is left for another batch
   */
  private record Some(Generated done, boolean isAll) {}

  /** Generates triggers for every job that is due for generation. */
  public Generated runOnce(long now) {
    Generated total = Generated.NOTHING;
    Some some;
    do {
      some = runBatch(now);
      total = total.plus(some.done());
    } while (!some.isAll());
    return total;
  }

  /** The time of the next generation of any job, in epoch milliseconds; empty if there is none. */
  public OptionalLong nextRun() {
    Long next = stores.jobs().nextGenerateAt(group);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /**
   * Runs one batch. One job's failure must not stop the others, so a failed batch is repeated job
   * by job. If jobs are left to the next run, this run ends, because it would find them again at
   * once.
   */
  private Some runBatch(long now) {
    try {
      GenerationBatch batch =
          commit(now, () -> stores.jobs().findToGenerate(group, now, JOBS_PER_TRANSACTION));
      return new Some(batch.done(), batch.isAll());
    } catch (RuntimeException e) {
      if (TransientFailures.isTransient(e) && !isAboutOneJob(e)) {
        throw e;
      }
      LOG.warn("generate: a batch of {} failed; its jobs are retried one by one", group, e);
      List<JobDefinition> jobs = stores.jobs().findToGenerate(group, now, JOBS_PER_TRANSACTION);
      Generated done =
          jobs.stream().map(job -> runAlone(job, now)).reduce(Generated.NOTHING, Generated::plus);
      return new Some(done, jobs.size() < JOBS_PER_TRANSACTION || done.jobs() < jobs.size());
    }
  }

  /** Another transaction holds or changes the job's row: transient, no other job is affected. */
  private static boolean isAboutOneJob(RuntimeException failure) {
    return failure instanceof RaceLostException || failure instanceof StoreBusyException;
  }

  /**
   * Generates one job. A job is put off only for a fault of its own, because that binds every
   * tracker. A transient failure, for example a lapsed number of this tracker, ends the run and
   * leaves the job unchanged.
   */
  private Generated runAlone(JobDefinition job, long now) {
    try {
      return commit(
              now,
              () ->
                  stores.jobs().find(job.id()).filter(TriggerGenerator::isActive).stream().toList())
          .done();
    } catch (RuntimeException e) {
      if (isAboutOneJob(e)) {
        LOG.warn("generate: {}/{} failed and is retried in the next run", group, job.taskId(), e);
        return Generated.NOTHING;
      }
      if (TransientFailures.isTransient(e)) {
        throw e;
      }
      putOff(job, e, now);
      return new Generated(1, 0, 0, 1);
    }
  }

  /** Puts a job off, unless its mark was moved meanwhile: otherwise it would be generated twice. */
  private void putOff(JobDefinition job, RuntimeException because, long now) {
    Advance later = new Advance(job.generatedUntil(), GenerationBatch.putOff(job, because, now));
    int unused = stores.jobs().advanceAll(List.of(later));
  }

  private static boolean isActive(JobDefinition job) {
    return job.state() == JobState.ACTIVE;
  }

  private GenerationBatch commit(long now, Supplier<List<JobDefinition>> find) {
    return RaceLostException.retrying(
        () -> {
          GenerationBatch batch =
              stores
                  .transactions()
                  .inTransaction(
                      "generate triggers of " + group,
                      () -> write(plan(find.get(), now), now),
                      this::isStored);
          signal(batch);
          return batch;
        });
  }

  /** Another tracker that moved the mark to the same place has written the same triggers. */
  private boolean isStored(GenerationBatch batch) {
    if (batch.advances().isEmpty()) {
      return true;
    }
    JobDefinition written = batch.advances().get(0).job();
    return !stores.jobs().lock(List.of(written.id())).isEmpty()
        && stores
            .jobs()
            .find(written.id())
            .filter(job -> job.version() == written.version())
            .filter(job -> job.generatedUntil() == written.generatedUntil())
            .filter(job -> Objects.equals(job.generateAt(), written.generateAt()))
            .isPresent();
  }

  private GenerationBatch plan(List<JobDefinition> found, long now) {
    GenerationBatch batch = new GenerationBatch(planner, ids, now);
    int next = 0;
    while (next < found.size() && batch.triggers().size() < TRIGGERS_PER_TRANSACTION) {
      batch.add(found.get(next++));
    }
    batch.setAll(next == found.size() && next < JOBS_PER_TRANSACTION);
    return batch;
  }

  private void signal(GenerationBatch committed) {
    signals.triggersStored(group, committed.triggers());
    if (committed.missed().stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
  }

  /**
   * Writes the batch. The jobs' rows are written first, and each write names the version and the
   * mark that were read. So a concurrent edit of a job waits or has won, and a tracker that was
   * held up since the read does not continue from a mark that another tracker has moved.
   */
  private GenerationBatch write(GenerationBatch batch, long now) {
    if (stores.jobs().advanceAll(batch.advances()) != batch.advances().size()) {
      throw new RaceLostException(
          "a job of " + group + " changed while its triggers were generated");
    }
    if (!batch.triggers().isEmpty()) {
      stores.waiting().insert(group, batch.triggers());
    }
    boolean unused = recorder.record(batch.missed(), now);
    batch.spent().stream().filter(this::finishIfOver).forEach(job -> batch.countFinished());
    return batch;
  }

  /** The job's row is already written in this transaction. */
  private boolean finishIfOver(JobDefinition job) {
    boolean lives =
        stores.waiting().findByTask(group, job.taskId()).stream()
                .anyMatch(WaitingTrigger::isOfRecurringJob)
            || !stores.runs().findByTasks(group, List.of(job.taskId())).isEmpty();
    return !lives && stores.jobs().replace(job.ended(JobState.FINISHED), job.version());
  }
}
