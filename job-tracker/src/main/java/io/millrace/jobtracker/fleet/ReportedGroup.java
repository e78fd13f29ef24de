package io.millrace.jobtracker.fleet;

import io.millrace.jobtracker.store.WorkerStore.Drain;
import io.millrace.jobtracker.store.WorkerStore.Worker;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this tracker has in memory of a node group that it serves. Thread-safe. */
public interface ReportedGroup {

  /**
   * What was counted last, and what memory holds. Times are epoch milliseconds.
   *
   * @param countedAt when the backlog was counted
   * @param backlog triggers that were due and waited, counted up to a bound
   * @param atLeast whether the bound was reached
   * @param oldestDueAt since when the first of them had been due; null if none was
   * @param freeSlots executions that workers ask for now
   * @param executing executions under way now
   */
  record Counted(
      long countedAt,
      long backlog,
      boolean atLeast,
      @Nullable Long oldestDueAt,
      int freeSlots,
      int executing) {}

  String name();

  /** Empty until the backlog was counted for the first time. */
  Optional<Counted> counted();

  /** The workers that pull, and those whose connection was lost and that were not forgotten yet. */
  List<Worker> workers();

  /** These workers get no further work, and no others. */
  void drain(List<Drain> workers);

  /** It is on record that the connection of this worker was lost. */
  void forget(Worker disconnected);
}
