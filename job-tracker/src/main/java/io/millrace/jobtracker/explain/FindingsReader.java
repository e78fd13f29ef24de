package io.millrace.jobtracker.explain;

import io.millrace.internal.model.job.JobRules;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.SplitRun;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.LedgerStore.OneShotSearch;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads everything about a task id in the order in which a trigger moves: waiting rows, then runs,
 * then the ledger. So a trigger that moves on meanwhile is seen at least once.
 */
final class FindingsReader {
  /**
   * How many rows of the ledger are searched for a one-shot that has ended: 100,000 rows take about
   * a tenth of a second if they are in the database's memory.
   */
  static final int MAX_SEARCHED_ROWS = 100_000;

  private static final int MAX_ATTEMPTS = 10;
  private static final int MAX_COMING_BACK = 5;

  private final Stores stores;
  private final LiveGroups live;
  private final PartsReader parts;

  FindingsReader(Stores stores, LiveGroups live) {
    this.stores = stores;
    this.live = live;
    this.parts = new PartsReader(stores);
  }

  /**
   * What was read.
   *
   * @param search how the ledger was searched for a one-shot; null if that was not needed
   */
  record Read(TaskSnapshot found, @Nullable OneShotSearch search) {}

  Read read(NodeGroup group, String taskId, long now) {
    String name = group.name();
    JobDefinition job =
        stores.jobs().findByTasks(name, List.of(taskId)).stream().findFirst().orElse(null);
    List<WaitingTrigger> waiting =
        stores.waiting().findByTask(name, taskId, 0, TaskSnapshot.MAX_WAITING);
    List<WaitingTrigger> coming =
        stores.waiting().findByTask(name, taskId, now + 1, TaskSnapshot.MAX_COMING);
    List<Execution> executing = stores.runs().findByTask(name, taskId, TaskSnapshot.MAX_EXECUTING);
    Long batchId = PartKey.batchOf(taskId).orElse(null);
    List<SplitRun> splits = parts.of(executing);
    OneShotSearch search = search(name, taskId, isAlive(job, waiting, executing));
    List<LedgerEntry> ends =
        batchId == null ? ends(jobId(job, waiting, executing), search) : latest(batchId);
    Serving serving = serving(group, now);
    TaskSnapshot found =
        new TaskSnapshot(
            name,
            taskId,
            now,
            serving,
            isStuck(waiting, splits, job, serving, now)
                ? stores.waiting().countDue(name, now, TaskSnapshot.MAX_DUE)
                : 0,
            job,
            job == null ? null : stores.declared().find(name, taskId).orElse(null),
            job == null ? new RunCounts(0, 0) : stores.jobs().turns(job.id()),
            waiting,
            coming,
            executing,
            splits,
            batchId == null ? null : parts.named(name, batchId),
            ends,
            dead(ends),
            resultBytes(ends),
            kept(waiting, executing, ends),
            Stream.concat(attempts(waiting), parts.attempts(splits)).toList());
    return new Read(found, search);
  }

  /** No one-shot has the task id of parts. */
  private @Nullable OneShotSearch search(String group, String taskId, boolean isAlive) {
    if (JobRules.isReserved(taskId)) {
      return new OneShotSearch(null, 0, null);
    }
    return isAlive ? null : stores.ledger().searchOneShot(group, taskId, MAX_SEARCHED_ROWS);
  }

  private static boolean isAlive(
      @Nullable JobDefinition job, List<WaitingTrigger> waiting, List<Execution> executing) {
    return (job != null && job.state().isLive()) || !waiting.isEmpty() || !executing.isEmpty();
  }

  /**
   * The job id to read the ledger by: that of a live job, else that of a row that waits or executes
   * (such as a live one-shot), else that of the ended job.
   */
  private static @Nullable Long jobId(
      @Nullable JobDefinition job, List<WaitingTrigger> waiting, List<Execution> executing) {
    if (job != null && job.state().isLive()) {
      return job.id();
    }
    return Stream.concat(
            waiting.stream().map(WaitingTrigger::jobId), executing.stream().map(Execution::jobId))
        .findFirst()
        .orElse(job == null ? null : job.id());
  }

  /** If a job and a one-shot of the same task id have both ended, the ends of the later one. */
  private List<LedgerEntry> ends(@Nullable Long jobId, @Nullable OneShotSearch search) {
    List<LedgerEntry> ofJob = latest(jobId);
    List<LedgerEntry> ofOneShot = search == null ? List.of() : latest(search.jobId());
    return lastEnd(ofOneShot) > lastEnd(ofJob) ? ofOneShot : ofJob;
  }

  private List<LedgerEntry> latest(@Nullable Long jobId) {
    return jobId == null
        ? List.of()
        : stores.ledger().findLatest(jobId, 0, Long.MAX_VALUE, TaskSnapshot.MAX_ENDS);
  }

  private List<DeadTrigger> dead(List<LedgerEntry> ends) {
    List<Long> ids = idsOf(ends, LedgerStatus.DEAD);
    return ids.isEmpty() ? List.of() : stores.dead().find(ids);
  }

  /** How far the triggers have come that run, that have run before, or that are dead. */
  private List<KeptState> kept(
      List<WaitingTrigger> waiting, List<Execution> executing, List<LedgerEntry> ends) {
    KeptReader kept = new KeptReader(stores);
    return Stream.of(
            kept.ofRunning(executing),
            kept.ofWaiting(waiting.stream().filter(FindingsReader::hasRun)),
            kept.ofDead(ends.stream().filter(row -> row.status() == LedgerStatus.DEAD)))
        .flatMap(states -> states)
        .toList();
  }

  private static boolean hasRun(WaitingTrigger row) {
    return row.begun() || row.attempt() > 1;
  }

  private Map<Long, Integer> resultBytes(List<LedgerEntry> ends) {
    List<Long> ids = idsOf(ends, LedgerStatus.SUCCEEDED);
    return ids.isEmpty() ? Map.of() : stores.results().sizes(ids);
  }

  private static List<Long> idsOf(List<LedgerEntry> ends, LedgerStatus status) {
    return ends.stream().filter(row -> row.status() == status).map(LedgerEntry::id).toList();
  }

  private static long lastEnd(List<LedgerEntry> rows) {
    return rows.stream().mapToLong(row -> row.times().finishedAt()).max().orElse(-1);
  }

  /**
   * The ledger rows of triggers that have run before; the job's latest rows may not include them.
   */
  private Stream<LedgerEntry> attempts(List<WaitingTrigger> waiting) {
    return waiting.stream()
        .filter(FindingsReader::hasRun)
        .limit(MAX_COMING_BACK)
        .flatMap(
            row ->
                stores
                    .ledger()
                    .findLatest(row.jobId(), row.plannedFor(), row.plannedFor(), MAX_ATTEMPTS)
                    .stream());
  }

  /** Whether a trigger is due and no worker that may run it waits for work. */
  private static boolean isStuck(
      List<WaitingTrigger> waiting,
      List<SplitRun> splits,
      @Nullable JobDefinition job,
      Serving serving,
      long now) {
    GroupView view = serving.here();
    return view != null
        && Stream.concat(
                waiting.stream(), splits.stream().flatMap(split -> split.waiting().stream()))
            .filter(row -> row.dueAt() <= now)
            .anyMatch(row -> serving(view, row, job).freeSlots() == 0);
  }

  private static GroupView serving(
      GroupView view, WaitingTrigger row, @Nullable JobDefinition job) {
    TriggerSpec ofJob = job == null ? null : job.spec();
    TriggerSpec spec = row.spec() == null ? ofJob : row.spec();
    return spec == null ? view : view.serving(spec);
  }

  private Serving serving(NodeGroup group, long now) {
    Optional<GroupView> view = live.view(group.name());
    if (view.isPresent()) {
      return Serving.here(view.get());
    }
    return stores.liveTrackers().at(now).stream()
        .filter(tracker -> group.owner() != null && tracker.number() == group.owner())
        .findFirst()
        .map((TrackerStore.Tracker owner) -> Serving.elsewhere(owner.number(), owner.address()))
        .orElseGet(Serving::none);
  }
}
