package io.millrace.console.api.fleet;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.Paths;
import io.millrace.console.api.ProgressSummary;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Rank;
import io.millrace.jobtracker.store.console.WorkerStore.RankPlace;
import io.millrace.jobtracker.store.console.WorkerStore.Ranked;
import io.millrace.jobtracker.store.console.WorkerStore.Search;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import io.millrace.jobtracker.store.console.WorkerStore.WorkerKey;
import io.millrace.jobtracker.store.order.Direction;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes for the workers of all trackers, as the trackers last saw them. */
public record WorkerRoutes(WorkerStore workers, ExecutingStore executing, Clock clock) {

  /**
   * A worker pulls every second by default. After this time without a pull, its connection counts
   * as broken.
   */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** The most groups of one worker id that are read. */
  private static final int MOST_GROUPS = 100;

  private static final Param<String> WORKER =
      Param.path("worker", ParamForm.text(128), "Node id of the worker, percent-encoded");
  private static final Param<String> IN_GROUP =
      Param.query("group", ParamForm.text(64), "The node group, if the worker pulls for several");
  private static final Resource ALL = Resource.of("Workers", Paths.V1 + "/workers");
  private static final Resource ONE = ALL.below("/{worker}", WORKER, IN_GROUP);

  /**
   * A worker in a node group.
   *
   * @param software version of its software; null if not reported
   * @param tracker number of the tracker that it pulls from
   * @param slots the most executions it runs at once; null if not reported
   * @param slotsInUse slots in use; null if not reported
   * @param prefetched executions that wait at the worker for a slot; null if not reported
   * @param held executions that it received and whose results are not acknowledged
   * @param connectedSince when it first pulled from this tracker over its current or last
   *     connection
   * @param connected whether it pulled recently and its connection is open
   * @param draining whether it receives no further work
   * @param features what its software knows beyond plain jobs
   * @param labels what jobs may require of it
   */
  public record WorkerSummary(
      String id,
      String group,
      String address,
      @Nullable String software,
      int tracker,
      @Nullable Integer slots,
      @Nullable Integer slotsInUse,
      @Nullable Integer prefetched,
      int held,
      Instant connectedSince,
      Instant lastPull,
      boolean connected,
      boolean draining,
      List<String> features,
      List<String> labels) {}

  /** The most workers that are sorted by what they report. */
  private static final int MOST_SORTED = 20_000;

  /** The order of a list of workers. */
  enum Order {
    NAME,
    NAME_DESCENDING,
    /** The most slots in use first. */
    USED_SLOTS,
    /** The most free slots first. */
    FREE_SLOTS,
    /** The longest without a pull first. */
    LONGEST_SILENT
  }

  private static final Param<Order> ORDER =
      Param.query(
          "order",
          ParamForm.choice(Order.class),
          Order.NAME,
          "By id, or by what workers report, which is for 20,000 workers at most; 'after' goes on in"
              + " the same order");

  /**
   * A page of workers, ordered by id and group, or by id within one group, unless another order is
   * named.
   */
  public record WorkerPage(List<WorkerSummary> items, @Nullable String next) {}

  /**
   * An execution that a worker holds.
   *
   * @param plannedFor the instant it is planned for
   * @param handler name of the runner; null for the worker's only runner
   * @param stopRequested whether the worker was asked to stop it
   * @param progress how far it has come; null if its job does not say
   */
  public record WorkerExecution(
      String id,
      String taskId,
      Instant plannedFor,
      int attempt,
      Instant claimedAt,
      @Nullable String handler,
      boolean stopRequested,
      @Nullable ProgressSummary progress) {}

  /**
   * A worker and its executions.
   *
   * @param executing the executions that it held when last seen and that have not ended since
   * @param more whether it held more executions than the tracker listed
   */
  public record WorkerDetail(WorkerSummary worker, List<WorkerExecution> executing, boolean more) {}

  public List<Route> routes() {
    return List.of(
        ALL.get("", "listWorkers", "Workers, as of a few seconds ago")
            .with(Paths.OF_GROUP, Paths.NAME_CONTAINS, ORDER, Paths.AFTER, Paths.LIMIT)
            .answers(WorkerPage.class, this::list),
        ONE.get("", "getWorker", "A worker and its executions")
            .answers(WorkerDetail.class, this::get),
        ONE.post(
                "/drain",
                "drainWorker",
                "Drains a worker: it gets no further work until its process ends")
            .answers(WorkerSummary.class, call -> setDraining(call, true)),
        ONE.post("/undrain", "undrainWorker", "Ends the draining of a worker")
            .answers(WorkerSummary.class, call -> setDraining(call, false)));
  }

  private Object list(Call call) {
    return switch (call.get(ORDER)) {
      case NAME -> byName(call, Direction.ASCENDING);
      case NAME_DESCENDING -> byName(call, Direction.DESCENDING);
      case USED_SLOTS -> byRank(call, Rank.USED_SLOTS);
      case FREE_SLOTS -> byRank(call, Rank.FREE_SLOTS);
      case LONGEST_SILENT -> byRank(call, Rank.LONGEST_SILENT);
    };
  }

  private static Search search(Call call) {
    return new Search(
        call.find(Paths.OF_GROUP).orElse(null), call.find(Paths.NAME_CONTAINS).orElse(null));
  }

  private WorkerPage byName(Call call, Direction direction) {
    int limit = call.get(Paths.LIMIT);
    Search search = search(call);
    WorkerKey behind = call.find(Paths.AFTER).map(WorkerRoutes::key).orElse(null);
    List<Worker> page = workers.list(search, direction, behind, limit);
    boolean withinGroup = search.nodeGroup() != null;
    return new WorkerPage(
        page.stream().map(this::summary).toList(),
        page.size() < limit ? null : cursor(page.get(limit - 1).key(), withinGroup));
  }

  private WorkerPage byRank(Call call, Rank rank) {
    RankPlace behind = call.find(Paths.AFTER).map(WorkerRoutes::rankPlace).orElse(null);
    Ranked page =
        workers
            .rank(search(call), rank, behind, call.get(Paths.LIMIT), MOST_SORTED)
            .orElseThrow(
                () ->
                    Kind.BAD_REQUEST.because(
                        "order=%s sorts %d workers at most, and there are more: name a node group"
                            .formatted(rank, MOST_SORTED)));
    RankPlace next = page.next();
    return new WorkerPage(
        page.workers().stream().map(this::summary).toList(),
        next == null
            ? null
            : Cursor.of(next.value(), next.key().workerId(), next.key().nodeGroup()));
  }

  private static RankPlace rankPlace(String text) {
    Cursor cursor = Cursor.read(text, 3);
    return new RankPlace(cursor.number(0), new WorkerKey(cursor.text(1), cursor.text(2)));
  }

  /** The cursor joins id and group with a blank, which neither contains. */
  private static String cursor(WorkerKey last, boolean withinGroup) {
    return withinGroup ? last.workerId() : last.workerId() + " " + last.nodeGroup();
  }

  private static WorkerKey key(String cursor) {
    int blank = cursor.indexOf(' ');
    return blank < 0
        ? new WorkerKey(cursor, "")
        : new WorkerKey(cursor.substring(0, blank), cursor.substring(blank + 1));
  }

  private Object get(Call call) {
    Worker worker = worker(call);
    List<WorkerExecution> held =
        worker.heldIds().isEmpty()
            ? List.of()
            : executing.find(worker.heldIds()).stream()
                .filter(execution -> execution.workerId().equals(worker.workerId()))
                .sorted(Comparator.comparingLong(Execution::id))
                .map(execution -> execution(worker, execution))
                .toList();
    return new WorkerDetail(summary(worker), held, worker.held() > worker.heldIds().size());
  }

  private static WorkerExecution execution(Worker worker, Execution execution) {
    return new WorkerExecution(
        String.valueOf(execution.id()),
        execution.key().taskId(),
        Instant.ofEpochMilli(execution.plannedFor()),
        execution.attempt(),
        Instant.ofEpochMilli(execution.claimedAt()),
        execution.spec().handler(),
        execution.stopRequested(),
        worker.progressOf(execution.id()).map(ProgressSummary::of).orElse(null));
  }

  private Object setDraining(Call call, boolean draining) {
    Worker worker = worker(call);
    if (!workers.setDraining(worker.workerId(), worker.nodeGroup(), draining)) {
      throw Kind.NOT_FOUND.because("worker " + worker.workerId() + " no longer exists");
    }
    return summary(workers.find(worker.workerId(), worker.nodeGroup()).orElse(worker));
  }

  private Worker worker(Call call) {
    String id = call.get(WORKER);
    Optional<String> group = call.find(IN_GROUP);
    if (group.isPresent()) {
      return workers
          .find(id, group.get())
          .orElseThrow(
              () ->
                  Kind.NOT_FOUND.because(
                      "there is no worker " + id + " of node group " + group.get()));
    }
    List<Worker> found = workers.find(id, MOST_GROUPS);
    if (found.size() > 1) {
      throw Kind.CONFLICT.because(
          "worker %s pulls for several node groups: name one of them, for example ?group=%s"
              .formatted(id, found.get(0).nodeGroup()));
    }
    return found.stream()
        .findFirst()
        .orElseThrow(() -> Kind.NOT_FOUND.because("there is no worker " + id));
  }

  private WorkerSummary summary(Worker worker) {
    Integer slots = worker.slots();
    Integer begun = worker.begun();
    Integer inUse = slots == null || begun == null ? null : (Integer) Math.min(slots, begun);
    Integer prefetched =
        slots == null || begun == null ? null : (Integer) Math.max(0, begun - slots);
    return new WorkerSummary(
        worker.workerId(),
        worker.nodeGroup(),
        worker.address(),
        worker.software(),
        worker.tracker(),
        slots,
        inUse,
        prefetched,
        worker.held(),
        Instant.ofEpochMilli(worker.connectedAt()),
        Instant.ofEpochMilli(worker.lastPullAt()),
        worker.disconnectedAt() == null
            && worker.lastPullAt() >= clock.millis() - SILENCE.toMillis(),
        worker.draining(),
        worker.features(),
        worker.labels());
  }
}
