package io.millrace.console.api.job;

import io.millrace.api.Schedule;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.KnownJob;
import io.millrace.console.api.LastRuns;
import io.millrace.console.api.Times;
import io.millrace.console.api.Timetable;
import io.millrace.console.api.TriggerSummary;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.LiveTrigger;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore.FoundJob;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Assembles the views of a job. Thread-safe. */
public record JobDetails(Stores stores, Timetable timetable, Clock clock) {
  private static final int MOST_COUNTED = 1_000;

  JobSummary summary(FoundJob found, LastRuns runs, Locale language) {
    JobDefinition job = found.job();
    @Nullable RunCounts turns = job.spec().overlapPolicy().isExclusive() ? found.turns() : null;
    return new JobSummary(
        job.nodeGroup(),
        job.taskId(),
        JobCondition.of(job.state()),
        JobSchedule.of(job.schedule()),
        timetable.words(job.schedule(), language),
        job.priority(),
        job.spec().handler(),
        job.spec().shards(),
        job.spec().isBroadcast(),
        job.version(),
        JobPause.of(job.pause()),
        turns == null ? null : (Integer) turns.running(),
        turns == null ? null : (Integer) turns.queued(),
        nextFireAt(job),
        found.owner(),
        runs.of(job.id()));
  }

  JobDetail detail(String group, KnownJob known, Locale language) {
    return detail(group, known, 0, language);
  }

  /**
   * A job with its last runs.
   *
   * @param wantedRuns how many; 0 for none
   */
  JobDetail detail(String group, KnownJob known, int wantedRuns, Locale language) {
    LastRuns runs = LastRuns.ofOne(stores.ledger(), known.jobId(), wantedRuns);
    JobDefinition job = known.recurring();
    return job == null
        ? oneShot(group, Objects.requireNonNull(known.oneShot()), runs, language)
        : recurring(job, runs, language);
  }

  /** When a job fires next by its schedule; null if that is never, or not known yet. */
  @Nullable Instant nextFireAt(JobDefinition job) {
    return job.state() == JobState.ACTIVE && !job.spec().chained()
        ? timetable.first(job.schedule(), Instant.ofEpochMilli(job.acceptedAt()), clock.now())
        : null;
  }

  private JobDetail recurring(JobDefinition job, LastRuns runs, Locale language) {
    TriggerSpec spec = job.spec();
    String group = job.nodeGroup();
    @Nullable RunCounts turns =
        spec.overlapPolicy().isExclusive() ? stores.jobs().turns(job.id()) : null;
    return new JobDetail(
        group,
        job.taskId(),
        String.valueOf(job.id()),
        JobCondition.of(job.state()),
        job.version(),
        JobSchedule.of(job.schedule()),
        timetable.words(job.schedule(), language),
        JobSettings.ofRecurring(job.params(), job.priority(), spec, job.schedule()),
        JobOrigin.of(spec, job.acceptedAt()),
        stores.declared().find(group, job.taskId()).map(JobDetail.Declared::of).orElse(null),
        new JobProgress(
            Instant.ofEpochMilli(job.generatedUntil()),
            Times.instant(job.generateAt()),
            job.exhausted(),
            JobPause.of(job.pause()),
            stores.runs().findByTask(group, job.taskId(), MOST_COUNTED).size(),
            turns == null ? null : (Integer) turns.running(),
            turns == null ? null : (Integer) turns.queued(),
            nextFireAt(job),
            nextTrigger(group, job.taskId()),
            lastEnd(job.id(), language)),
        labelsNobodyHas(group, spec),
        runs.of(job.id()));
  }

  private JobDetail oneShot(String group, LiveTrigger row, LastRuns runs, Locale language) {
    TriggerSpec spec = Objects.requireNonNull(row.spec(), "the spec of a one-shot");
    Schedule schedule = new Schedule.Once(Instant.ofEpochMilli(row.plannedFor()), null);
    WaitingTrigger waiting = row instanceof WaitingTrigger waits ? waits : null;
    return new JobDetail(
        group,
        row.key().taskId(),
        String.valueOf(row.jobId()),
        waiting == null ? JobCondition.EXECUTING : JobCondition.WAITING,
        0,
        JobSchedule.of(schedule),
        timetable.words(schedule, language),
        JobSettings.ofOneShot(paramsOf(group, row), row.priority(), spec),
        JobOrigin.of(spec, row.generatedAt()),
        null,
        JobProgress.ofOneShot(
            waiting == null,
            waiting == null ? null : TriggerSummary.of(waiting, clock.millis()),
            lastEnd(row.jobId(), language)),
        labelsNobodyHas(group, spec),
        runs.of(row.jobId()));
  }

  /** Reads the workers of the group only if the job requires labels. */
  private List<String> labelsNobodyHas(String group, TriggerSpec spec) {
    List<String> required = spec.laneOrPlain().ofConfiguration();
    if (required.isEmpty()) {
      return List.of();
    }
    Set<String> had =
        stores.console().fleet().workers().list(group, "", MOST_COUNTED).stream()
            .filter(worker -> worker.disconnectedAt() == null)
            .flatMap(worker -> worker.labels().stream())
            .collect(Collectors.toSet());
    return required.stream().filter(label -> !had.contains(label)).toList();
  }

  private StoredParams paramsOf(String group, LiveTrigger row) {
    if (!row.params().isLeftInStore()) {
      return row.params();
    }
    List<Long> id = List.of(row.id());
    Map<Long, String> read =
        row instanceof WaitingTrigger
            ? stores.waiting().readParams(group, id)
            : paramsOfRun(row.id());
    return row.params().orRead(read.get(row.id()));
  }

  private Map<Long, String> paramsOfRun(long id) {
    Map<Long, String> read = stores.executing().readParams(List.of(id));
    return read.isEmpty()
        ? stores.batches().find(List.of(id)).stream()
            .filter(batch -> batch.run().params().json() != null)
            .collect(
                Collectors.toMap(
                    Batch::id, batch -> Objects.requireNonNull(batch.run().params().json())))
        : read;
  }

  private @Nullable TriggerSummary nextTrigger(String group, String task) {
    return stores.waiting().findByTask(group, task, 0, 1).stream()
        .findFirst()
        .map(row -> TriggerSummary.of(row, clock.millis()))
        .orElse(null);
  }

  private @Nullable HistoryItem lastEnd(long jobId, Locale language) {
    List<LedgerEntry> latest = stores.ledger().findLatest(jobId, 0, Long.MAX_VALUE, 1);
    return HistoryItem.of(latest, stores.results(), language).stream().findFirst().orElse(null);
  }
}
