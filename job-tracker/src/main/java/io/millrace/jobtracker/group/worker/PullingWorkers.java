package io.millrace.jobtracker.group.worker;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.lease.GapDetector;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The workers that pull for one node group, as of their last pulls, and which of them are draining.
 * Thread-safe.
 */
public final class PullingWorkers {
  /**
   * A worker, without the values that {@link #list} receives. Times are epoch milliseconds.
   *
   * @param pulledAt when it pulled last, in milliseconds of a monotonic clock
   */
  private record Seen(
      Peer worker,
      long process,
      @Nullable Integer slots,
      @Nullable Integer begun,
      int held,
      List<Long> heldIds,
      long connectedAt,
      long lastPullAt,
      long pulledAt,
      @Nullable Long disconnectedAt,
      List<ExecutionProgress> progress,
      List<String> features,
      List<String> labels) {

    Set<String> offers() {
      return Lane.offers(labels, features);
    }

    Seen disconnected(long now) {
      return new Seen(
          worker,
          process,
          slots,
          begun,
          held,
          heldIds,
          connectedAt,
          lastPullAt,
          pulledAt,
          (Long) now,
          progress,
          features,
          labels);
    }
  }

  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private final GapDetector hearing;

  /** The process of each draining worker, by node id. Replaced as a whole. */
  private volatile Map<String, Long> draining = Map.of();

  /**
   * @param longestSilence how many milliseconds may pass without a pull of any worker while this
   *     tracker can be reached
   * @param monotonic the present, in milliseconds of a monotonic clock
   */
  public PullingWorkers(long longestSilence, long monotonic) {
    this.hearing = new GapDetector(longestSilence, monotonic);
  }

  /**
   * A worker has pulled.
   *
   * @param now in epoch milliseconds
   * @param monotonic the same instant, in milliseconds of a monotonic clock
   */
  public void pulled(Peer worker, PullRequest request, long now, long monotonic) {
    boolean unused = hearing.look(monotonic);
    Seen before = seen.get(worker.nodeId());
    boolean isNew = before == null || before.disconnectedAt() != null;
    long connectedAt = before == null || isNew ? now : before.connectedAt();
    List<Long> held = request.held();
    seen.put(
        worker.nodeId(),
        new Seen(
            worker,
            PullRequest.processOf(request.number()),
            request.workerSlots(),
            request.begun(),
            held.size(),
            named(held),
            connectedAt,
            now,
            monotonic,
            null,
            progress(before == null ? List.of() : before.progress(), request),
            request.features() == null ? List.of() : request.features(),
            request.labels() == null ? List.of() : request.labels()));
  }

  /** The news of a pull, and what was known before of executions that the worker still holds. */
  private static List<ExecutionProgress> progress(
      List<ExecutionProgress> before, PullRequest request) {
    List<ExecutionProgress> news = request.progress();
    if (before.isEmpty() && news == null) {
      return List.of();
    }
    Map<Long, ExecutionProgress> latest = new LinkedHashMap<>();
    before.forEach(each -> latest.put(each.executionId(), each));
    if (news != null) {
      news.forEach(each -> latest.put(each.executionId(), each));
    }
    latest.keySet().retainAll(new HashSet<>(request.held()));
    return latest.values().stream().limit(ExecutionProgress.MOST_SHOWN).toList();
  }

  /** What triggers may require of a worker, as of its last pull. */
  public Set<String> offersOf(String workerId) {
    Seen worker = seen.get(workerId);
    return worker == null ? Set.of() : worker.offers();
  }

  /** The node ids of the workers that may get triggers of a lane: connected and not draining. */
  public List<String> able(Lane lane) {
    Map<String, Long> drains = draining;
    return seen.values().stream()
        .filter(worker -> worker.disconnectedAt() == null && lane.isServedBy(worker.offers()))
        .filter(worker -> !isDraining(drains, worker.worker().nodeId(), worker.process()))
        .map(worker -> worker.worker().nodeId())
        .toList();
  }

  /** What triggers may require of each worker, by node id. */
  public Map<String, Set<String>> offers() {
    return seen.values().stream()
        .collect(Collectors.toMap(worker -> worker.worker().nodeId(), Seen::offers, (a, b) -> b));
  }

  /**
   * Since when there has been no long silence of all workers, in milliseconds of a monotonic clock;
   * now if there is one.
   */
  long heardSince(long now) {
    return hearing.since(now);
  }

  /** Whether a worker has pulled at or after this instant of the monotonic clock. */
  boolean hasPulledSince(String workerId, long monotonic) {
    Seen worker = seen.get(workerId);
    return worker != null && worker.pulledAt() >= monotonic;
  }

  /**
   * The workers that have what a lane requires, do not drain, and have pulled at or after this
   * instant of the monotonic clock: connected or not. In order of their node ids.
   */
  List<BoundTo> pulledSince(long monotonic, Lane lane) {
    Map<String, Long> drains = draining;
    return seen.values().stream()
        .filter(worker -> worker.pulledAt() >= monotonic && lane.isServedBy(worker.offers()))
        .map(worker -> new BoundTo(worker.worker().nodeId(), worker.process()))
        .filter(worker -> !isDraining(drains, worker.workerId(), worker.process()))
        .sorted(Comparator.comparing(BoundTo::workerId))
        .toList();
  }

  /**
   * Whether a worker process drains, or a later one of its node id pulls, or it has not pulled at
   * or after this instant of the monotonic clock.
   */
  boolean isGone(BoundTo worker, long silentSince) {
    if (isDraining(draining, worker.workerId(), worker.process())) {
      return true;
    }
    Seen last = seen.get(worker.workerId());
    if (last == null || last.process() < worker.process()) {
      return silentSince > Long.MIN_VALUE;
    }
    return last.process() > worker.process() || last.pulledAt() < silentSince;
  }

  private static List<Long> named(List<Long> held) {
    return held.size() <= WorkerStore.NAMED_EXECUTIONS
        ? held
        : List.copyOf(held.subList(0, WorkerStore.NAMED_EXECUTIONS));
  }

  public void disconnected(String workerId, long now) {
    seen.computeIfPresent(workerId, (id, worker) -> worker.disconnected(now));
  }

  /** Whether any of the workers is connected. */
  public boolean areConnected() {
    return seen.values().stream().anyMatch(worker -> worker.disconnectedAt() == null);
  }

  /** Whether a worker process is draining, identified by the number of one of its pulls. */
  public boolean isDraining(String workerId, long pullNumber) {
    Map<String, Long> drains = draining;
    return !drains.isEmpty() && isDraining(drains, workerId, PullRequest.processOf(pullNumber));
  }

  private static boolean isDraining(Map<String, Long> drains, String workerId, long process) {
    Long drained = drains.get(workerId);
    return drained != null && drained == process;
  }

  /**
   * Replaces the draining workers, which receive no further assignments.
   *
   * @return whether a worker that was draining may receive assignments again
   */
  public boolean drain(Collection<Drain> workers) {
    Map<String, Long> before = draining;
    Map<String, Long> now =
        workers.stream()
            .collect(Collectors.toUnmodifiableMap(Drain::workerId, Drain::process, (a, b) -> a));
    draining = now;
    return !now.entrySet().containsAll(before.entrySet());
  }

  /** The node ids of the draining workers. */
  public Collection<String> draining() {
    Map<String, Long> drains = draining;
    return drains.isEmpty()
        ? List.of()
        : seen.values().stream()
            .filter(worker -> isDraining(drains, worker.worker().nodeId(), worker.process()))
            .map(worker -> worker.worker().nodeId())
            .toList();
  }

  /** The slots of the workers that are connected and have said how many they have. */
  public int slots() {
    return seen.values().stream()
        .filter(worker -> worker.disconnectedAt() == null && worker.slots() != null)
        .mapToInt(worker -> Objects.requireNonNull(worker.slots()))
        .sum();
  }

  /**
   * All workers.
   *
   * @param tracker number of this tracker
   */
  public List<Worker> list(String nodeGroup, int tracker) {
    Map<String, Long> drains = draining;
    return seen.values().stream()
        .map(
            each ->
                new Worker(
                    each.worker().nodeId(),
                    nodeGroup,
                    each.process(),
                    tracker,
                    each.worker().address(),
                    each.worker().software(),
                    each.slots(),
                    each.begun(),
                    each.held(),
                    each.heldIds(),
                    each.connectedAt(),
                    each.lastPullAt(),
                    each.disconnectedAt(),
                    isDraining(drains, each.worker().nodeId(), each.process()),
                    each.progress(),
                    each.features(),
                    each.labels()))
        .toList();
  }

  /**
   * Removes a worker whose connection was lost, unless it has pulled since.
   *
   * @param silentSince it stays if it has pulled at or after this instant of the monotonic clock:
   *     it may come back, and a broadcast is for it too
   */
  public void forget(Worker disconnected, long silentSince) {
    seen.computeIfPresent(
        disconnected.workerId(),
        (id, worker) ->
            Objects.equals(worker.disconnectedAt(), disconnected.disconnectedAt())
                    && worker.pulledAt() < silentSince
                ? null
                : worker);
  }
}
