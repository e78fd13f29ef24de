package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.KeptState.Progress;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads how far triggers have come; those of which nothing is known are left out. */
record KeptReader(Stores stores) {
  private static final int MOST_READ = 5;

  /** The states of the executions that were claimed first. */
  Stream<KeptState> ofRunning(List<Execution> executions) {
    return executions.stream()
        .sorted(Comparator.comparingLong(Execution::claimedAt))
        .limit(MOST_READ)
        .map(execution -> state(execution.id(), execution, progress(execution)))
        .filter(KeptReader::isAny);
  }

  /** The states of the first of these triggers, which have run before. */
  Stream<KeptState> ofWaiting(Stream<WaitingTrigger> rows) {
    return rows.limit(MOST_READ).map(row -> state(row.id(), row, null)).filter(KeptReader::isAny);
  }

  /** The states of the first of these triggers, which are dead and may be replayed. */
  Stream<KeptState> ofDead(Stream<LedgerEntry> rows) {
    return rows.limit(MOST_READ).map(row -> state(row.id(), row, null)).filter(KeptReader::isAny);
  }

  private static boolean isAny(KeptState state) {
    return state.steps() > 0 || state.checkpointAt() != null || state.progress() != null;
  }

  private KeptState state(long id, TriggerRecord trigger, @Nullable Progress progress) {
    List<Kept> kept = stores.kept().list(Run.of(trigger));
    List<Kept> steps =
        kept.stream().filter(row -> row.kind() == Kind.STEP || row.kind() == Kind.FAULT).toList();
    Optional<Kept> last = steps.stream().reduce((earlier, later) -> later);
    Optional<Long> checkpointAt =
        kept.stream().filter(row -> row.kind() == Kind.CHECKPOINT).map(Kept::at).findFirst();
    return new KeptState(
        id,
        steps.size(),
        last.map(Kept::name).orElse(null),
        last.map(Kept::at).orElse(0L),
        checkpointAt.orElse(null),
        progress);
  }

  private @Nullable Progress progress(Execution execution) {
    return stores
        .console()
        .fleet()
        .workers()
        .find(execution.workerId(), execution.nodeGroup())
        .flatMap(worker -> worker.progressOf(execution.id()))
        .map(said -> new Progress(said.done(), said.total()))
        .orElse(null);
  }
}
