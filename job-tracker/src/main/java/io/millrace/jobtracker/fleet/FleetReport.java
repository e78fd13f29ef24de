package io.millrace.jobtracker.fleet;

import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.waiting.Backlog;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import io.millrace.jobtracker.store.console.WorkerStore.WorkerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the workers of the node groups served here and the load of those groups, and applies the
 * drains of workers that are to get no further work. What one run reads and writes is bounded; with
 * more workers or groups than that, those written longest ago come first. Driven by one timer,
 * which never overlaps itself.
 */
public final class FleetReport {
  /**
   * The limits of one run.
   *
   * @param workers how many workers are written
   * @param groups how many groups are written
   * @param nextDueReads for how many groups the next due time is read
   */
  record Portions(int workers, int groups, int nextDueReads) {
    static final Portions DEFAULT = new Portions(2_000, 1_000, 25);
  }

  /** A load that has not changed is written again after this time, in milliseconds. */
  static final long STALE_MILLIS = 30_000;

  private final FleetStores stores;
  private final WaitingStore waiting;
  private final int tracker;
  private final Supplier<List<ServedGroup>> served;
  private final Portions portions;
  private final Map<WorkerKey, Long> workersWrittenAt = new HashMap<>();
  private final Map<String, GroupLoad> written = new HashMap<>();
  private final Map<String, NextDue> nextDues = new HashMap<>();

  /**
   * When the first trigger that was not yet due falls due, as read at {@code readAt}; null if there
   * was none.
   */
  private record NextDue(@Nullable Long dueAt, long readAt) {}

  /**
   * @param tracker number of this tracker
   * @param served the groups that it serves
   */
  public FleetReport(
      FleetStores stores, WaitingStore waiting, int tracker, Supplier<List<ServedGroup>> served) {
    this(stores, waiting, tracker, served, Portions.DEFAULT);
  }

  FleetReport(
      FleetStores stores,
      WaitingStore waiting,
      int tracker,
      Supplier<List<ServedGroup>> served,
      Portions portions) {
    this.stores = stores;
    this.waiting = waiting;
    this.tracker = tracker;
    this.served = served;
    this.portions = portions;
  }

  /** Applies the drains, then writes. */
  public void runOnce(long now) {
    List<ServedGroup> groups = served.get();
    drain(groups);
    Map<String, List<Worker>> workers = new HashMap<>();
    groups.forEach(group -> workers.put(group.name(), group.workers()));
    writeWorkers(groups, workers, now);
    writeLoads(groups, workers, now);
  }

  private void drain(List<ServedGroup> groups) {
    Map<String, List<Drain>> drains =
        groups.isEmpty()
            ? Map.of()
            : stores.workers().draining(WorkerStore.MOST_DRAINS).stream()
                .collect(Collectors.groupingBy(Drain::nodeGroup));
    groups.forEach(group -> group.drain(drains.getOrDefault(group.name(), List.of())));
  }

  private void writeWorkers(List<ServedGroup> groups, Map<String, List<Worker>> workers, long now) {
    List<Worker> due =
        workers.values().stream()
            .flatMap(List::stream)
            .sorted(Comparator.comparing(worker -> workersWrittenAt.getOrDefault(worker.key(), 0L)))
            .limit(portions.workers())
            .toList();
    stores.workers().put(due);
    due.forEach(worker -> workersWrittenAt.put(worker.key(), now));
    for (ServedGroup group : groups) {
      due.stream()
          .filter(worker -> worker.nodeGroup().equals(group.name()))
          .filter(worker -> worker.disconnectedAt() != null)
          .forEach(group::forget);
    }
    workersWrittenAt
        .keySet()
        .retainAll(
            workers.values().stream()
                .flatMap(List::stream)
                .map(Worker::key)
                .collect(Collectors.toSet()));
  }

  private void writeLoads(List<ServedGroup> groups, Map<String, List<Worker>> workers, long now) {
    readNextDues(groups, now);
    List<GroupLoad> due = new ArrayList<>();
    for (ServedGroup group : groups) {
      GroupStats stats = group.stats();
      if (stats.isCounted()) {
        GroupLoad load = load(group, stats, workers.getOrDefault(group.name(), List.of()));
        if (isNews(load)) {
          due.add(load);
        }
      }
    }
    due.sort(Comparator.comparingLong(this::writtenAt));
    List<GroupLoad> portion = due.subList(0, Math.min(portions.groups(), due.size()));
    stores.groups().put(portion);
    portion.forEach(load -> written.put(load.nodeGroup(), load));
    written.keySet().retainAll(groups.stream().map(ServedGroup::name).collect(Collectors.toSet()));
  }

  private long writtenAt(GroupLoad load) {
    GroupLoad before = written.get(load.nodeGroup());
    return before == null ? 0 : before.observedAt();
  }

  private boolean isNews(GroupLoad load) {
    GroupLoad before = written.get(load.nodeGroup());
    return before == null
        || load.observedAt() - before.observedAt() >= STALE_MILLIS
        || !before.equals(load.observedAt(before.observedAt()));
  }

  private GroupLoad load(ServedGroup group, GroupStats stats, List<Worker> all) {
    List<Worker> workers = all.stream().filter(each -> each.disconnectedAt() == null).toList();
    NextDue next = nextDues.get(group.name());
    Backlog backlog = stats.backlog();
    return new GroupLoad(
        group.name(),
        tracker,
        stats.countedAt(),
        backlog.due(),
        backlog.due() >= Backlog.MOST_COUNTED,
        backlog.due() == 0 ? null : (Long) backlog.oldestDueAt(),
        next == null ? null : next.dueAt(),
        workers.size(),
        (int) workers.stream().filter(Worker::draining).count(),
        workers.stream().mapToInt(FleetReport::slots).sum(),
        workers.stream().mapToInt(FleetReport::slotsInUse).sum(),
        stats.freeSlots(),
        stats.executing());
  }

  private static int slots(Worker worker) {
    Integer slots = worker.slots();
    return slots == null ? 0 : slots;
  }

  private static int slotsInUse(Worker worker) {
    Integer begun = worker.begun();
    return Math.min(slots(worker), begun == null ? worker.held() : begun);
  }

  /** A value that was read is valid until it has fallen due or is old; the oldest is read first. */
  private void readNextDues(List<ServedGroup> groups, long now) {
    nextDues.keySet().retainAll(groups.stream().map(ServedGroup::name).collect(Collectors.toSet()));
    groups.stream()
        .map(ServedGroup::name)
        .filter(name -> isOld(nextDues.get(name), now))
        .sorted(Comparator.comparingLong(this::readAt))
        .limit(portions.nextDueReads())
        .forEach(name -> nextDues.put(name, new NextDue(nextDue(name, now), now)));
  }

  private long readAt(String name) {
    NextDue known = nextDues.get(name);
    return known == null ? 0 : known.readAt();
  }

  /** A trigger that was stored meanwhile may fall due earlier. */
  private static boolean isOld(@Nullable NextDue known, long now) {
    if (known == null) {
      return true;
    }
    Long dueAt = known.dueAt();
    return dueAt == null || dueAt <= now || now - known.readAt() >= STALE_MILLIS / 3;
  }

  private @Nullable Long nextDue(String name, long now) {
    OptionalLong next = waiting.nextDue(name, now);
    return next.isPresent() ? (Long) next.getAsLong() : null;
  }
}
