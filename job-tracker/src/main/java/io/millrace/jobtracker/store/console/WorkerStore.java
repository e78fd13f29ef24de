package io.millrace.jobtracker.store.console;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.order.Direction;
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

  /**
   * The conditions of a search; null means any.
   *
   * @param nodeGroup those of this node group
   * @param contained those whose id contains this text in any case
   */
  record Search(@Nullable String nodeGroup, @Nullable String contained) {}

  /**
   * Returns workers behind a key, in order of worker and group. One range read, which goes on until
   * enough match.
   *
   * @param behind null for the beginning
   */
  List<Worker> list(Search search, Direction direction, @Nullable WorkerKey behind, int limit);

  /** Returns workers behind this one, in order. One range read. */
  default List<Worker> list(WorkerKey after, int limit) {
    return list(new Search(null, null), Direction.ASCENDING, after, limit);
  }

  /** Returns workers of a node group with an id above this one, in order of id. One range read. */
  default List<Worker> list(String nodeGroup, String aboveId, int limit) {
    return list(
        new Search(nodeGroup, null), Direction.ASCENDING, new WorkerKey(aboveId, nodeGroup), limit);
  }

  /** What a list of workers is sorted by. No index serves these orders. */
  enum Rank {
    /** Most slots in use first; those that do not report their slots last. */
    USED_SLOTS,
    /** Most free slots first; those that do not report their slots last. */
    FREE_SLOTS,
    /** The longest without a pull first. */
    LONGEST_SILENT
  }

  /** A place in a sorted list: directly behind a worker with this value of its rank. */
  record RankPlace(long value, WorkerKey key) {}

  /**
   * A page of a sorted list.
   *
   * @param next the place to continue; null if there are no more workers
   */
  record Ranked(List<Worker> workers, @Nullable RankPlace next) {}

  /**
   * Returns workers behind a place, sorted; equal ones by worker and group. Reads a few columns of
   * all workers that match.
   *
   * @param behind null for the beginning
   * @param most the maximum of workers sorted
   * @return empty if more workers match
   */
  Optional<Ranked> rank(Search search, Rank rank, @Nullable RankPlace behind, int limit, int most);

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
