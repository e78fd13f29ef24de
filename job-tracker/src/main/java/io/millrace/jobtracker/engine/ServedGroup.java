package io.millrace.jobtracker.engine;

import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.List;

/** A node group that this tracker serves, for those that report on it. Thread-safe. */
public interface ServedGroup {

  String name();

  /** Its figures now, from memory. */
  GroupStats stats();

  /** The workers that pull, and those whose connection was lost and that were not forgotten yet. */
  List<Worker> workers();

  /** These workers get no further work, and no others. */
  void drain(List<Drain> workers);

  /** It is on record that the connection of this worker was lost. */
  void forget(Worker disconnected);
}
