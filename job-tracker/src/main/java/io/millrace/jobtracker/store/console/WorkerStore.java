package io.millrace.jobtracker.store.console;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.trigger.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Workers, as the trackers from which they pull last reported them. Trackers report every few
 * seconds; only the draining flag affects which executions are handed out.
 */
public interface WorkerStore {
  /** The maximum of draining workers that a tracker reads; further ones still get work. */
  int MOST_DRAINS = 10_000;

  /** The maximum of executions of a worker that are listed by id. */
  int NAMED_EXECUTIONS = 50;

  /**
   * A worker. Times are epoch milliseconds.
   *
   * @param process distinguishes processes of one node id
   * @param tracker number of the tracker that it pulls from
   * @param software version of its software; null if it does not report it
   * @param slots the number of executions that it runs at once; null if it does not report it
   * @param begun the number of its executions that have a slot or wait for one; null if it does not
   *     report it
   * @param held the number of executions that it holds
   * @param heldIds the first of them, at most {@link #NAMED_EXECUTIONS}
   * @param connectedAt when it first pulled from this tracker over its current connection
   * @param disconnectedAt when its connection was lost; null while it has one
   * @param draining whether it gets no further work
   * @param progress how far its executions have come, as far as they say
   * @param features what its software knows beyond plain jobs
   * @param labels what its configuration says that jobs may require of it
   */
  record Worker(
      String workerId,
      String nodeGroup,
      long process,
      int tracker,
      String address,
      @Nullable String software,
      @Nullable Integer slots,
      @Nullable Integer begun,
      int held,
      List<Long> heldIds,
      long connectedAt,
      long lastPullAt,
      @Nullable Long disconnectedAt,
      boolean draining,
      List<ExecutionProgress> progress,
      List<String> features,
      List<String> labels) {
    public Worker {
      heldIds = heldIds.stream().limit(NAMED_EXECUTIONS).toList();
      progress = progress.stream().limit(ExecutionProgress.MOST_SHOWN).toList();
      features = List.copyOf(features);
      labels = List.copyOf(labels);
    }

    /** A worker that knows plain jobs only, and whose executions say nothing of their progress. */
    public Worker(
        String workerId,
        String nodeGroup,
        long process,
        int tracker,
        String address,
        @Nullable String software,
        @Nullable Integer slots,
        @Nullable Integer begun,
        int held,
        List<Long> heldIds,
        long connectedAt,
        long lastPullAt,
        @Nullable Long disconnectedAt,
        boolean draining) {
      this(
          workerId,
          nodeGroup,
          process,
          tracker,
          address,
          software,
          slots,
          begun,
          held,
          heldIds,
          connectedAt,
          lastPullAt,
          disconnectedAt,
          draining,
          List.of(),
          List.of(),
          List.of());
    }

    /** What triggers may require of it: its labels, and what its software knows. */
    public Set<String> offers() {
      return Lane.offers(labels, features);
    }

    /** How far one of its executions has come; empty if it does not say. */
    public Optional<ExecutionProgress> progressOf(long executionId) {
      return progress.stream().filter(each -> each.executionId() == executionId).findFirst();
    }

    /** Its place in the order of all workers. */
    public WorkerKey key() {
      return new WorkerKey(workerId, nodeGroup);
    }
  }

  /** One worker in one of the groups it pulls for, and the order of all: by worker, by group. */
  record WorkerKey(String workerId, String nodeGroup) {
    /** The place before all others. */
    public static final WorkerKey FIRST = new WorkerKey("", "");
  }

  /**
   * A worker that gets no further work.
   *
   * @param process the draining process: another process of the same node id gets work
   */
  record Drain(String workerId, String nodeGroup, long process) {}

  /**
   * Writes the current state of workers. The draining flag stays as it is, except that a new
   * process starts without it.
   */
  void put(List<Worker> workers);

  /** Returns workers behind this one, in order. One range read. */
  List<Worker> list(WorkerKey after, int limit);

  /** Returns workers of a node group with an id above this one, in order of id. One range read. */
  List<Worker> list(String nodeGroup, String aboveId, int limit);

  /**
   * Returns workers behind this one, in order, whose id contains this text in any case. Reads those
   * behind it until there are enough.
   */
  List<Worker> listLike(String contained, WorkerKey after, int limit);

  /**
   * Returns workers of a node group with an id above this one, in order of id, whose id contains
   * this text in any case. Reads those behind it until there are enough.
   */
  List<Worker> listLike(String contained, String nodeGroup, String aboveId, int limit);

  /** Returns the worker in each of the groups for which it pulls, in order of group. */
  List<Worker> find(String workerId, int limit);

  /** The worker in a group. */
  Optional<Worker> find(String workerId, String nodeGroup);

  /**
   * How far these executions have come, by id, as far as they say; these are their workers. One
   * read, however many executions there are.
   */
  Map<Long, ExecutionProgress> progress(Collection<String> workerIds, Set<Long> executionIds);

  /** Sets whether a worker gets no further work; returns whether the worker is known. */
  boolean setDraining(String workerId, String nodeGroup, boolean draining);

  /** Returns draining workers of any group, in order of group, at most limit. */
  List<Drain> draining(int limit);

  /** Returns draining workers of a group, at most limit. */
  List<Drain> draining(String nodeGroup, int limit);

  /**
   * The result of a sweep for workers that are gone.
   *
   * @param last the last worker read; null if there was none
   */
  record Swept(int lookedAt, int deleted, @Nullable WorkerKey last) {}

  /**
   * Reads at most {@code lookAt} workers behind this one, and deletes those whose last pull is
   * before {@code lastPullBefore}.
   */
  Swept deleteGone(WorkerKey after, int lookAt, long lastPullBefore);
}
