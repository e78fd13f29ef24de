package io.millrace.console.api;

import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Scope.Referred;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Optional;

/** Finds the job of a key, and what ids refer to. Thread-safe. */
public record JobFinder(Stores stores) {

  /** The execution of an id: running, split into parts, or ended. */
  public Referred execution(long id) {
    return new Referred(groupOfExecution(id), "there is no execution " + id);
  }

  /** Returns the node group of the execution with this id, whose run may be split or have ended. */
  public Optional<String> groupOfExecution(long id) {
    List<Long> ids = List.of(id);
    return stores.executing().find(ids).stream()
        .map(Execution::nodeGroup)
        .findFirst()
        .or(() -> stores.batchViews().find(ids).stream().map(Batch::nodeGroup).findFirst())
        .or(() -> stores.ledger().find(ids).stream().map(LedgerEntry::nodeGroup).findFirst());
  }

  /**
   * The execution of this id if its run is under way: at a worker, or split into parts. A run moves
   * from executing to the batches and on to the ledger, so who asks for its end asks there next.
   */
  public Optional<Execution> underWay(long id) {
    List<Long> ids = List.of(id);
    return stores.executing().find(ids).stream()
        .findFirst()
        .or(
            () ->
                stores.batchViews().find(ids).stream()
                    .filter(batch -> batch.state().isUnderWay())
                    .map(Batch::run)
                    .findFirst());
  }

  /** Throws a problem if the node group does not exist. */
  public void requireGroup(String group) {
    if (stores.nodeGroups().find(group).isEmpty()) {
      throw Kind.NOT_FOUND.because("there is no node group " + group);
    }
  }

  /**
   * Returns the job of a key, a live one before one that has ended; throws a problem if there is
   * none.
   */
  public KnownJob get(String group, String task) {
    return find(group, task)
        .orElseThrow(() -> Kind.NOT_FOUND.because("there is no job " + group + "/" + task));
  }

  /** Returns the live job of a key; throws a problem if there is none or it has ended. */
  public KnownJob getLive(String group, String task) {
    KnownJob known = get(group, task);
    if (!known.isLive()) {
      throw Kind.NOT_FOUND.because("job " + group + "/" + task + " no longer exists");
    }
    return known;
  }

  /**
   * Returns the job of a key; throws a problem if the node group does not exist. Waiting triggers
   * are read twice, because an execution may return to waiting between the reads.
   */
  public Optional<KnownJob> find(String group, String task) {
    requireGroup(group);
    Optional<JobDefinition> job = stores.jobs().find(group, task);
    if (job.isPresent() && job.get().state().isLive()) {
      return job.map(JobFinder::recurring);
    }
    return waiting(group, task)
        .or(() -> executing(group, task))
        .or(() -> waiting(group, task))
        .or(() -> job.map(JobFinder::recurring));
  }

  private static KnownJob recurring(JobDefinition job) {
    return new KnownJob(job, null);
  }

  private Optional<KnownJob> waiting(String group, String task) {
    return stores.waiting().findOneShots(group, List.of(task)).stream()
        .findFirst()
        .map(row -> new KnownJob(null, row));
  }

  private Optional<KnownJob> executing(String group, String task) {
    return stores.runs().findByTasks(group, List.of(task)).stream()
        .filter(execution -> !execution.isOfRecurringJob())
        .findFirst()
        .map(row -> new KnownJob(null, row));
  }
}
