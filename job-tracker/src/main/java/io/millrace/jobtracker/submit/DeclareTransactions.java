package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.RejectReason;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.lane.JobLanes;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.declared.DeclaredStore.Owner;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a page: one for the jobs of each node group, one that records that the page
 * was applied, and those that retire jobs. Each begins by locking the owner and finds what an
 * earlier run of it has done. Thread-safe.
 */
final class DeclareTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(DeclareTransactions.class);

  /** How many jobs one page retires at most, so that its answer does not take too long. */
  static final int RETIRED_PER_PAGE = 100;

  private final EngineContext engine;
  private final Stores stores;
  private final GroupSubmit groups;
  private final StoreQuotas quotas;
  private final DeclareAdmission admission;
  private final DeclaredPage page;
  private final JobRetirement retirement;
  private final LogLimiter log;

  DeclareTransactions(
      EngineContext engine,
      GroupSubmit groups,
      StoreQuotas quotas,
      DeclareAdmission admission,
      DeclaredPage page,
      JobRetirement retirement) {
    this.engine = engine;
    this.stores = engine.stores();
    this.groups = groups;
    this.quotas = quotas;
    this.admission = admission;
    this.page = page;
    this.retirement = retirement;
    this.log = new LogLimiter(engine.time().clock());
  }

  /**
   * Handles the jobs of one node group.
   *
   * @param results receives the answers by task id
   * @return the answer if the page takes no effect, otherwise null
   */
  @Nullable DeclareReply declare(
      DeclareRequest request,
      String group,
      List<DeclaredEntry> entries,
      Map<String, JobResult> results) {
    List<DeclaredEntry> allowed = inLanes(group, inExistingGroup(group, ofKnownFeatures(entries)));
    DeclareOutcome done;
    try {
      done = store(request, group, allowed);
    } catch (StoreException e) {
      if (groups.wasRemoved(group, e)) {
        return declare(request, group, entries, results);
      }
      throw e;
    }
    if (done.refusal() == null) {
      allowed.forEach(entry -> results.put(entry.taskId(), done.answer(entry)));
      warnOfTurns(request, group, done.revertedTasks());
      signal(group, done);
    }
    return done.refusal();
  }

  /** Stores new jobs together at first, and one by one if another transaction was faster. */
  private DeclareOutcome store(DeclareRequest request, String group, List<DeclaredEntry> entries) {
    AtomicBoolean together = new AtomicBoolean(true);
    return inTransaction(
        "declare jobs of " + group,
        now -> page.declare(request, group, entries, together.getAndSet(false), now));
  }

  /** Rejects the jobs that use what not every tracker knows. */
  private List<DeclaredEntry> ofKnownFeatures(List<DeclaredEntry> entries) {
    IdentityHashMap<PendingSubmit, String> refusals =
        groups.featureRefusals(
            entries.stream().map(DeclaredEntry::pending).filter(Objects::nonNull).toList());
    return refusals.isEmpty()
        ? entries
        : entries.stream()
            .map(
                entry -> {
                  PendingSubmit job = entry.pending();
                  String why = job == null ? null : refusals.get(job);
                  return why == null ? entry : entry.rejected(RejectReason.TRACKER_TOO_OLD, why);
                })
            .toList();
  }

  /** Creates the node group if there is anything to store; rejects the jobs if that is refused. */
  private List<DeclaredEntry> inExistingGroup(String group, List<DeclaredEntry> entries) {
    List<PendingSubmit> jobs =
        entries.stream().map(DeclaredEntry::pending).filter(Objects::nonNull).toList();
    Map<String, String> refusals = jobs.isEmpty() ? Map.of() : groups.ensureGroup(group, jobs);
    if (refusals.isEmpty()) {
      return entries;
    }
    List<DeclaredEntry> rejected = new ArrayList<>();
    for (DeclaredEntry entry : entries) {
      PendingSubmit job = entry.pending();
      rejected.add(
          job == null
              ? entry
              : entry.rejected(
                  RejectReason.TOO_MANY_NODE_GROUPS,
                  refusals.getOrDefault(job.spec().clientGroup(), "")));
    }
    return rejected;
  }

  /** Finds the lanes of the jobs; rejects those for which there is no room. */
  private List<DeclaredEntry> inLanes(String group, List<DeclaredEntry> entries) {
    List<DeclaredEntry> placed = new ArrayList<>(entries.size());
    for (DeclaredEntry entry : entries) {
      PendingSubmit job = entry.pending();
      try {
        placed.add(job == null ? entry : entry.with(groups.place(group, job)));
      } catch (JobLanes.TooManyLanesException e) {
        placed.add(entry.rejected(RejectReason.TOO_MANY_LANES, String.valueOf(e.getMessage())));
      }
    }
    return placed;
  }

  /** Records that a page was applied; returns the answer if it takes no effect, otherwise null. */
  @Nullable DeclareReply finishPage(DeclareRequest request) {
    return inTransaction(
            "finish a page of owner '" + request.owner() + "'",
            now -> {
              DeclareAdmission.Admitted admitted = admission.admit(request, now);
              Owner owner = admitted.owner();
              if (admitted.refusal() == null && owner.pages() == request.page()) {
                stores
                    .declared()
                    .pageApplied(
                        owner.name(), request.page() + 1, owner.jobs() + request.jobs().size());
              }
              return new DeclareOutcome(admitted.refusal());
            })
        .refusal();
  }

  /**
   * Retires jobs that the declaration did not have, up to the bound of a page. A declaration
   * without jobs retires none.
   */
  DeclareReply retire(DeclareRequest request, List<JobResult> results) {
    String owner = request.owner();
    String id = request.declarationId();
    int already = stores.declared().findRetired(owner, id, request.page()).size();
    Map<String, List<String>> missing = missing(request, RETIRED_PER_PAGE - already);
    for (Map.Entry<String, List<String>> each : missing.entrySet()) {
      String group = each.getKey();
      DeclareOutcome done =
          inTransaction(
              "retire jobs of " + group,
              now -> retirement.retire(request, group, each.getValue(), now));
      if (done.refusal() != null) {
        return done.refusal();
      }
      signal(group, done);
    }
    List<JobResult> all = new ArrayList<>(results);
    for (DeclaredJob row : stores.declared().findRetired(owner, id, request.page())) {
      all.add(
          new JobResult(
              row.nodeGroup(), row.taskId(), row.latest().change(), null, row.latest().message()));
    }
    return new DeclareReply(Status.DONE, null, all, !missing(request, 1).isEmpty());
  }

  private Map<String, List<String>> missing(DeclareRequest request, int limit) {
    Map<String, List<String>> byGroup = new LinkedHashMap<>();
    boolean hasJobs =
        inTransaction(
            "count the declared jobs of owner '" + request.owner() + "'",
            now -> admission.admit(request, now).owner().jobs() > 0);
    if (hasJobs && limit > 0) {
      stores
          .declared()
          .findMissing(request.owner(), request.declarationId(), limit)
          .forEach(
              row ->
                  byGroup
                      .computeIfAbsent(row.nodeGroup(), group -> new ArrayList<>())
                      .add(row.taskId()));
    }
    return byGroup;
  }

  private <T> T inTransaction(String name, LongFunction<T> work) {
    return RaceLostException.retrying(() -> inOneTransaction(name, work));
  }

  private <T> T inOneTransaction(String name, LongFunction<T> work) {
    try {
      return stores
          .transactions()
          .repeating(name, () -> work.apply(engine.time().clock().millis()));
    } catch (DuplicateKeyException e) {
      throw new RaceLostException(name + ": another transaction was faster: " + e.getMessage());
    }
  }

  private void signal(String group, DeclareOutcome done) {
    Submitted submitted = done.submitted();
    quotas.waitingStored(group, submitted.stored().size(), 0);
    engine.signals().triggersStored(group, submitted.stored());
    done.stopped().forEach(stopped -> engine.signals().stopRequested(group, stopped.executions()));
    retirement.finish(group, done, engine.time().clock().millis());
    if (submitted.hasFeedback()) {
      engine.signals().feedbackStored();
    }
  }

  private void warnOfTurns(DeclareRequest request, String group, List<String> taskIds) {
    if (!taskIds.isEmpty()) {
      log.write(
          "turns " + request.owner(),
          ending ->
              LOG.warn(
                  "declare: two sets of owner '{}' take turns and have changed {} of its jobs back"
                      + " and forth, among them {}/{}; give each set a revision of its own{}",
                  request.owner(),
                  taskIds.size(),
                  group,
                  taskIds.get(0),
                  ending));
    }
  }
}
