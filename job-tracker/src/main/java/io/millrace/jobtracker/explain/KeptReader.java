package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.KeptState.Progress;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads how far executions have come. */
record KeptReader(Stores stores) {
  private static final int MOST_READ = 5;

  /** The states of the executions that were claimed first; those without any are left out. */
  List<KeptState> read(List<Execution> executions) {
    return executions.stream()
        .sorted(Comparator.comparingLong(Execution::claimedAt))
        .limit(MOST_READ)
        .map(this::state)
        .filter(state -> state.steps() > 0 || state.checkpointAt() != null || says(state))
        .toList();
  }

  private static boolean says(KeptState state) {
    return state.progress() != null;
  }

  private KeptState state(Execution execution) {
    List<Kept> kept = stores.kept().list(Run.of(execution));
    List<Kept> steps =
        kept.stream().filter(row -> row.kind() == Kind.STEP || row.kind() == Kind.FAULT).toList();
    Optional<Kept> last = steps.stream().reduce((earlier, later) -> later);
    Optional<Long> checkpointAt =
        kept.stream().filter(row -> row.kind() == Kind.CHECKPOINT).map(Kept::at).findFirst();
    Optional<Progress> progress =
        stores
            .console()
            .fleet()
            .workers()
            .find(execution.workerId(), execution.nodeGroup())
            .flatMap(worker -> worker.progressOf(execution.id()))
            .map(said -> new Progress(said.done(), said.total()));
    return new KeptState(
        execution.id(),
        steps.size(),
        last.map(Kept::name).orElse(null),
        last.map(Kept::at).orElse(0L),
        checkpointAt.orElse(null),
        progress.orElse(null));
  }
}
