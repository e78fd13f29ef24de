package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.PartsOf;
import io.millrace.jobtracker.domain.snapshot.SplitRun;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.Stores;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the parts of runs that were split, in the order in which a part moves. */
final class PartsReader {
  private final Stores stores;

  PartsReader(Stores stores) {
    this.stores = stores;
  }

  /** Those of the runs that were split; one that ends meanwhile is told of by the ledger. */
  List<SplitRun> of(List<Execution> runs) {
    return runs.isEmpty()
        ? List.of()
        : stores.batchViews().find(runs.stream().map(Execution::id).toList()).stream()
            .filter(batch -> batch.state().isUnderWay())
            .sorted(Comparator.comparingLong(batch -> batch.run().claimedAt()))
            .limit(TaskSnapshot.MAX_SPLITS)
            .map(this::read)
            .toList();
  }

  private SplitRun read(Batch batch) {
    String task = PartKey.taskIdOf(batch.id());
    String group = batch.nodeGroup();
    return new SplitRun(
        batch,
        stores.waiting().readByTask(group, new TriggerKey(task, 0, 0), SplitRun.MAX_PARTS),
        stores.runs().findByTask(group, task, SplitRun.MAX_PARTS));
  }

  /** What is known of a batch by its id; null if that is nothing. */
  @Nullable PartsOf named(String nodeGroup, long batchId) {
    SplitRun open =
        stores.batchViews().find(List.of(batchId)).stream()
            .filter(batch -> batch.state().isUnderWay() && batch.nodeGroup().equals(nodeGroup))
            .map(this::read)
            .findFirst()
            .orElse(null);
    LedgerEntry ended =
        open != null
            ? null
            : stores.ledger().find(List.of(batchId)).stream()
                .filter(row -> row.nodeGroup().equals(nodeGroup))
                .findFirst()
                .orElse(null);
    return new PartsOf(batchId, open, ended);
  }

  /** The latest ledger rows of parts, if some of these wait for another attempt. */
  Stream<LedgerEntry> attempts(List<SplitRun> splits) {
    return splits.stream()
        .filter(split -> split.waiting().stream().anyMatch(row -> row.begun() || row.attempt() > 1))
        .flatMap(
            split ->
                stores
                    .ledger()
                    .findLatest(split.batch().id(), 0, Long.MAX_VALUE, TaskSnapshot.MAX_ENDS)
                    .stream());
  }
}
