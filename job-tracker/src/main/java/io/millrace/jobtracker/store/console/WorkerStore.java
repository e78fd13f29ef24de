package io.millrace.jobtracker.store.console;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Workers, as the trackers that they pull from last saw them. Told every few seconds; of no account
 * to what is handed out, but for who is to get no further work.
 */
public interface WorkerStore {
  /** Workers that may drain at a time; those beyond are not told. */
  int MOST_DRAINS = 10_000;

  /** Of what a worker holds, as many executions are named. */
  int NAMED_EXECUTIONS = 50;

  /**
   * A worker. Times are epoch milliseconds.
   *
   * @param process tells processes of one node id apart
   * @param tracker number of the tracker that it pulls from
   * @param software version of its software; null if it does not say
   * @param slots executions it runs at once; null if it does not say
   * @param begun executions that have a slot or wait for one there; null if it does not say
   * @param held executions that it holds
   * @param heldIds the first of them, {@link #NAMED_EXECUTIONS} at most
   * @param connectedAt when it first pulled from this tracker over the connection it has
   * @param disconnectedAt when its connection was lost; null while it has one
   * @param draining whether it is to get no further work
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
      boolean draining) {
    public Worker {
      heldIds = heldIds.stream().limit(NAMED_EXECUTIONS).toList();
    }

    /** Its place in the order of all. */
    public WorkerKey key() {
      return new WorkerKey(workerId, nodeGroup);
    }
  }

  /** One worker in one of the groups it pulls for, and the order of all: by worker, by group. */
  record WorkerKey(String workerId, String nodeGroup) {
    /** Before all others. */
    public static final WorkerKey FIRST = new WorkerKey("", "");
  }

  /**
   * A worker that is to get no further work.
   *
   * @param process that this is about: another of the same node id is given work
   */
  record Drain(String workerId, String nodeGroup, long process) {}

  /**
   * Writes what is known of workers now. Whether one drains stays as it is, but for a new process,
   * which does not.
   */
  void put(List<Worker> workers);

  /** Workers behind this one, in order. One range read. */
  List<Worker> list(WorkerKey after, int limit);

  /** Workers of a node group with an id above this one, in order of id. One range read. */
  List<Worker> list(String nodeGroup, String aboveId, int limit);

  /** The worker in each of the groups it pulls for, in order of the groups. */
  List<Worker> find(String workerId, int limit);

  /** The worker in a group. */
  Optional<Worker> find(String workerId, String nodeGroup);

  /** Says whether a worker is to get no further work; returns whether it is known. */
  boolean setDraining(String workerId, String nodeGroup, boolean draining);

  /**
   * Workers of any group that are to get no further work, in order of the groups, at most limit.
   */
  List<Drain> draining(int limit);

  /** Workers of a group that are to get no further work. */
  List<Drain> draining(String nodeGroup, int limit);

  /**
   * What a look for workers that are gone came to.
   *
   * @param last the last that was looked at; null if there was none
   */
  record Swept(int lookedAt, int deleted, @Nullable WorkerKey last) {}

  /** Looks at so many workers behind this one, and deletes those that have not pulled since. */
  Swept deleteGone(WorkerKey after, int lookAt, long lastPullBefore);
}
