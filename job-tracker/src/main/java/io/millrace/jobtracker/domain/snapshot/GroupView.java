package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the tracker that serves a node group holds in memory of it.
 *
 * @param workers node ids of the workers that are connected
 * @param freeSlots slots that workers wait to fill
 * @param blind whether the last load of the waiting queue failed
 * @param inDoubt whether the tracker is not certain that it still serves the group
 * @param draining node ids of the workers that are to get no further work, as an operator decided
 * @param offers what each of the workers has that triggers may require, by node id
 * @param freeSlotsOf the slots that each of the workers waits to fill, by node id
 * @param awaited node ids of the workers that a due broadcast waits for, because the tracker does
 *     not know yet whether they are there
 */
public record GroupView(
    Set<String> workers,
    int freeSlots,
    boolean blind,
    boolean inDoubt,
    Set<String> draining,
    Map<String, Set<String>> offers,
    Map<String, Integer> freeSlotsOf,
    Set<String> awaited) {
  public GroupView {
    workers = Set.copyOf(workers);
    draining = Set.copyOf(draining);
    offers = Map.copyOf(offers);
    freeSlotsOf = Map.copyOf(freeSlotsOf);
    awaited = Set.copyOf(awaited);
  }

  /** A view of workers that have nothing that triggers may require. */
  public GroupView(
      Set<String> workers, int freeSlots, boolean blind, boolean inDoubt, Set<String> draining) {
    this(workers, freeSlots, blind, inDoubt, draining, Map.of(), Map.of(), Set.of());
  }

  /** The view of the tracker that serves the group. */
  public static GroupView of(
      Set<String> workers,
      GroupStats stats,
      Map<String, Set<String>> offers,
      Map<String, Integer> freeSlotsOf,
      Set<String> awaited) {
    return new GroupView(
        workers,
        stats.freeSlots(),
        stats.blind(),
        stats.inDoubt(),
        stats.draining(),
        offers,
        freeSlotsOf,
        awaited);
  }

  /** The view of those workers that may run triggers with this spec. */
  public GroupView serving(TriggerSpec spec) {
    BoundTo bound = spec.boundTo();
    return bound == null ? serving(spec.laneOrPlain()) : among(bound.workerId()::equals);
  }

  private GroupView serving(Lane lane) {
    return lane.labels().isEmpty()
        ? this
        : among(worker -> lane.isServedBy(offers.getOrDefault(worker, Set.of())));
  }

  private GroupView among(Predicate<String> isAble) {
    Set<String> able = workers.stream().filter(isAble).collect(Collectors.toSet());
    int free = able.stream().mapToInt(worker -> freeSlotsOf.getOrDefault(worker, 0)).sum();
    Set<String> drained = draining.stream().filter(able::contains).collect(Collectors.toSet());
    return new GroupView(able, free, blind, inDoubt, drained, offers, freeSlotsOf, awaited);
  }

  /** What a lane requires and none of the workers has. */
  public List<String> lacked(Lane lane) {
    return lane.labels().stream()
        .filter(
            label ->
                workers.stream()
                    .noneMatch(worker -> offers.getOrDefault(worker, Set.of()).contains(label)))
        .toList();
  }

  /** How many of the connected workers drain. */
  public int drainingWorkers() {
    return (int) workers.stream().filter(draining::contains).count();
  }
}
