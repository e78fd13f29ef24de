package io.millrace.jobtracker.status;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the batches of runs. */
final class SplitRuns {
  private SplitRuns() {}

  /** The batches of those of these runs that were split, by id: one read for all of them. */
  static Map<Long, Batch> of(Stores stores, List<Execution> runs) {
    return runs.isEmpty()
        ? Map.of()
        : stores.batchViews().find(runs.stream().map(Execution::id).toList()).stream()
            .filter(batch -> batch.state().isUnderWay())
            .collect(Collectors.toMap(Batch::id, Function.identity()));
  }
}
