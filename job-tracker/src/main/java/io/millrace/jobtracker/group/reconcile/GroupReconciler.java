package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.JobStore.ListedJob;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.ListedTrigger;
import io.millrace.jobtracker.store.WaitingStore.Tally;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks the jobs, the waiting triggers and the runs that were split of one node group, page by
 * page. A run ends after a bounded number of pages, and the next run continues there. Driven by one
 * timer, which never overlaps its own runs.
 */
public final class GroupReconciler {
  private final String group;
  private final Stores stores;
  private final JobRepair repair;
  private final OrphanTriggers strays;
  private final MissingTriggers missing;
  private final RunCountCheck turns;
  private final OrphanParts strayParts;
  private final BatchCheck batches;
  private final Pages pages;
  private long lastTrigger = Long.MIN_VALUE;
  private String lastTask = "";
  private long lastBatch = Long.MIN_VALUE;

  /**
   * How much is read.
   *
   * @param jobs jobs in one page
   * @param triggers triggers in one page
   * @param batches runs that were split in one page
   * @param perRun pages of triggers, and pages of jobs, in one run at most
   */
  public record Pages(int jobs, int triggers, int batches, int perRun) {
    public static final Pages DEFAULT = new Pages(200, 1_000, 100, 100);
  }

  /**
   * The settings of the search for missing triggers.
   *
   * @param ahead how far ahead missing triggers are looked for; longer than the time between two
   *     runs
   * @param onGenerate called when the generator must run
   */
  public record Options(Duration ahead, Runnable onGenerate) {}

  public GroupReconciler(
      String group,
      Stores stores,
      JobPlanner planner,
      IdSequence ids,
      Signals signals,
      Options options,
      Pages pages) {
    this.group = group;
    this.stores = stores;
    this.repair = new JobRepair(group, stores, ids, signals);
    this.strays = new OrphanTriggers(repair);
    this.missing = new MissingTriggers(repair, planner, options);
    this.turns = new RunCountCheck(repair);
    this.strayParts = new OrphanParts(repair);
    this.batches = new BatchCheck(repair);
    this.pages = pages;
  }

  /**
   * Deletes stray triggers first, because they may hold the keys of missing triggers; checks the
   * turns last, when all triggers are there.
   */
  public Reconciled runOnce(long now) {
    ReconcileReport findings = new ReconcileReport();
    boolean more = true;
    for (int page = 0; more && page < pages.perRun(); page++) {
      more = checkTriggers(now, findings);
    }
    more = true;
    for (int page = 0; more && page < pages.perRun(); page++) {
      more = checkJobs(now, findings);
    }
    more = true;
    for (int page = 0; more && page < pages.perRun(); page++) {
      more = checkBatches(now, findings);
    }
    return findings.sum();
  }

  /** Checks one page of triggers; returns whether there may be more. */
  private boolean checkTriggers(long now, ReconcileReport findings) {
    List<ListedTrigger> page = stores.waiting().list(group, lastTrigger, pages.triggers());
    findings.lookedAt(0, page.size());
    strays.check(page, now, findings);
    strayParts.check(page, now, findings);
    boolean more = page.size() == pages.triggers();
    lastTrigger = more ? page.get(page.size() - 1).id() : Long.MIN_VALUE;
    return more;
  }

  private boolean checkJobs(long now, ReconcileReport findings) {
    List<ListedJob> listed = stores.jobs().list(group, lastTask, pages.jobs());
    findings.lookedAt(listed.size(), 0);
    List<ListedJob> live = listed.stream().filter(job -> job.state().isLive()).toList();
    if (!live.isEmpty()) {
      JobPage page = read(live, now, findings);
      missing.check(page, now, findings);
      turns.check(page, now, findings);
    }
    boolean more = listed.size() == pages.jobs();
    lastTask = more ? listed.get(listed.size() - 1).taskId() : "";
    return more;
  }

  private boolean checkBatches(long now, ReconcileReport findings) {
    List<Batch> page = stores.batches().findUnderWay(group, lastBatch, pages.batches());
    page.forEach(batch -> batches.check(batch, now, findings));
    boolean more = page.size() == pages.batches();
    lastBatch = more ? page.get(page.size() - 1).id() : Long.MIN_VALUE;
    return more;
  }

  private JobPage read(List<ListedJob> live, long now, ReconcileReport findings) {
    List<JobDefinition> jobs = definitions(live, findings);
    MissingTriggers.Span span = missing.span(now);
    Map<String, Tally> tallies =
        stores
            .waiting()
            .tally(
                group, jobs.stream().map(JobDefinition::taskId).toList(), span.from(), span.until())
            .stream()
            .collect(Collectors.toMap(Tally::taskId, Function.identity()));
    List<String> followed =
        jobs.stream()
            .filter(job -> job.spec().chained() || job.spec().overlapPolicy().isExclusive())
            .map(JobDefinition::taskId)
            .toList();
    Map<String, List<Execution>> executions =
        stores.runs().findByTasks(group, followed).stream()
            .collect(Collectors.groupingBy(execution -> execution.key().taskId()));
    return new JobPage(
        jobs,
        live.stream().collect(Collectors.toMap(ListedJob::id, Function.identity())),
        tallies,
        executions);
  }

  /** A row that cannot be read does not block the others. */
  private List<JobDefinition> definitions(List<ListedJob> listed, ReconcileReport findings) {
    List<String> taskIds = listed.stream().map(ListedJob::taskId).toList();
    List<JobDefinition> jobs = new ArrayList<>();
    try {
      jobs.addAll(stores.jobs().findByTasks(group, taskIds));
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      for (ListedJob job : listed) {
        findings.attempt(
            repair.nameOf(job.id(), job.taskId()),
            () -> jobs.addAll(stores.jobs().find(job.id()).stream().toList()));
      }
    }
    return jobs.stream().filter(job -> job.state().isLive()).toList();
  }
}
