package io.millrace.jobtracker.engine;

import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.util.List;

/** A node group that this tracker serves, as the reporting services see it. Thread-safe. */
public interface ServedGroup {

  String name();

  /** The current figures of the group, from memory. */
  GroupStats stats();

  /** The workers that pull, and the disconnected workers that are not yet forgotten. */
  List<Worker> workers();

  /** Sets the workers that receive no further work; all other workers of the group receive work. */
  void drain(List<Drain> workers);

  /**
   * Forgets a disconnected worker, as its disconnection is now recorded in the store. Does nothing
   * if the worker has pulled since.
   */
  void forget(Worker disconnected);
}
