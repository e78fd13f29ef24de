package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.LedgerStore.Ended;
import io.millrace.jobtracker.store.Stores;
import java.util.List;

/**
 * Goes through the oldest rows of the ledger in order of id, and deletes those that ended long
 * enough ago.
 *
 * <p>A row has the id of its execution, which dates from the claim: after a long run it is a young
 * row among old ones. Such rows are passed over. The next portion goes on behind them, and the next
 * sweep, which begins at the oldest row again, finds them; there are no more of them than
 * executions under way at a time.
 */
final class LedgerSweep {
  private final Stores stores;
  private final PurgeBounds portions;
  private long passed = Long.MIN_VALUE;

  LedgerSweep(Stores stores, PurgeBounds portions) {
    this.stores = stores;
    this.portions = portions;
  }

  /** A transaction that fails is tried again by the next portion: only what committed is passed. */
  DeleteResult nextPortion(long belowId, long endedBefore) {
    long deleted = 0;
    for (int i = 0; i < portions.chunksPerRun(); i++) {
      Chunk chunk =
          stores
              .transactions()
              .repeating("purge the ledger", () -> nextChunk(belowId, endedBefore));
      deleted += chunk.deleted();
      if (chunk.seen() < portions.chunk()) {
        restart();
        return new DeleteResult(deleted, false);
      }
      passed = chunk.lastId();
    }
    return new DeleteResult(deleted, true);
  }

  /** Begins at the oldest row again. */
  void restart() {
    passed = Long.MIN_VALUE;
  }

  private record Chunk(int seen, int deleted, long lastId) {}

  /** What is kept of a dead trigger goes with the row that says it is dead. */
  private int delete(List<Long> ids) {
    int unused = stores.dead().delete(ids);
    return stores.ledger().delete(ids);
  }

  private Chunk nextChunk(long belowId, long endedBefore) {
    List<Ended> rows = stores.ledger().readEnds(passed, belowId, portions.chunk());
    List<Long> old =
        rows.stream().filter(row -> row.finishedAt() < endedBefore).map(Ended::id).toList();
    int deleted = old.isEmpty() ? 0 : delete(old);
    return new Chunk(
        rows.size(), deleted, rows.isEmpty() ? passed : rows.get(rows.size() - 1).id());
  }
}
