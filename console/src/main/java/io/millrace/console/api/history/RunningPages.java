package io.millrace.console.api.history;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.PartTally;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what is under way by pages: executions, and runs that were split. Thread-safe. */
record RunningPages(Stores stores, WorkerStore workers) {
  /** The most executions that one page examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  /** Those of one task id, ordered by planned instant. */
  ExecutionPage ofTask(String group, Direction direction, TriggerKey behind, int limit) {
    List<Execution> rows = stores.runs().readByTask(group, direction, behind, limit);
    return new ExecutionPage(
        summaries(rows), rows.size() < limit ? null : Cursor.of(rows.get(limit - 1).key()));
  }

  /** Those that a worker holds: no worker holds a run that was split. */
  ExecutionPage ofWorker(
      @Nullable String group, String worker, AgeOrder order, long behind, int limit) {
    ExecutingStore.Found found = search(group, worker, order, behind, limit);
    Long next = found.next();
    return new ExecutionPage(summaries(found.executions()), next == null ? null : Cursor.of(next));
  }

  /** All of a node group, or of all groups: two lists in order of id, merged. */
  ExecutionPage all(@Nullable String group, AgeOrder order, long behind, int limit) {
    ExecutingStore.Found found = search(group, null, order, behind, limit);
    List<Execution> split =
        stores.batchViews().list(group, order, behind, limit).stream().map(Batch::run).toList();
    Long lastSplit = split.size() < limit ? null : (Long) split.get(limit - 1).id();
    Comparator<Long> ids =
        order == AgeOrder.OLDEST_FIRST ? Comparator.naturalOrder() : Comparator.reverseOrder();
    Long readTo =
        Stream.of(Optional.ofNullable(found.next()), Optional.ofNullable(lastSplit))
            .flatMap(Optional::stream)
            .min(ids)
            .orElse(null);
    List<Execution> rows =
        Stream.concat(found.executions().stream(), split.stream())
            .filter(row -> readTo == null || ids.compare(row.id(), readTo) <= 0)
            .sorted(Comparator.comparing(Execution::id, ids))
            .toList();
    if (rows.size() > limit) {
      return new ExecutionPage(
          summaries(rows.subList(0, limit)), Cursor.of(rows.get(limit - 1).id()));
    }
    return new ExecutionPage(summaries(rows), readTo == null ? null : Cursor.of(readTo));
  }

  private ExecutingStore.Found search(
      @Nullable String group, @Nullable String worker, AgeOrder order, long behind, int limit) {
    return stores
        .executing()
        .search(new ExecutingStore.Search(group, worker), order, behind, limit, LOOK_AT);
  }

  /** Adds to each how far it has come: a few more reads for all of them. */
  List<ExecutionSummary> summaries(List<Execution> rows) {
    if (rows.isEmpty()) {
      return List.of();
    }
    Set<String> holders = rows.stream().map(Execution::workerId).collect(Collectors.toSet());
    Set<Long> ids = rows.stream().map(Execution::id).collect(Collectors.toSet());
    Map<Long, ExecutionProgress> progress = workers.progress(holders, ids);
    List<Batch> batches =
        stores.batchViews().find(ids).stream().filter(batch -> batch.state().isUnderWay()).toList();
    Map<Long, PartTally> parts = PartTally.of(batches, stores.batchViews());
    return rows.stream()
        .map(row -> ExecutionSummary.of(row, progress.get(row.id()), parts.get(row.id())))
        .toList();
  }
}
