package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.LedgerStore.Ended;
import io.millrace.jobtracker.store.Stores;
import java.util.List;

/**
 * Reads the oldest rows of the ledger in the order of their ids, and deletes those that ended long
 * enough ago.
 *
 * <p>A row has the id of its execution, which dates from the claim. After a long run, it is a young
 * row among old ones. These rows are skipped. The next portion continues after them, and the next
 * sweep, which starts at the oldest row again, finds them. There are at most as many of them as
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

  /**
   * Deletes the next portion. If a transaction fails, the next call repeats it, because the
   * position advances only after a commit.
   */
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

  /** Restarts at the oldest row. */
  void restart() {
    passed = Long.MIN_VALUE;
  }

  private record Chunk(int seen, int deleted, long lastId) {}

  /** Deletes ledger rows and, with them, their dead triggers and results. */
  private int delete(List<Long> ids) {
    int unused = stores.dead().delete(ids) + stores.results().delete(ids);
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
