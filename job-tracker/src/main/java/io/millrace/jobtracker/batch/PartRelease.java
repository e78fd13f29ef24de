package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves parts into waiting, a window at a time, each in a transaction of its own. Thread-safe. */
public final class PartRelease {
  private static final Logger LOG = LoggerFactory.getLogger(PartRelease.class);

  /** The most bytes of parameters that one transaction moves, unless a part alone has more. */
  private static final long MAX_BYTES = 4 << 20;

  private final Stores stores;
  private final IdSequence ids;

  public PartRelease(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.ids = ids;
  }

  /**
   * Releases the next parts of a batch if its window is less than half full, and returns them.
   *
   * @param seen the batch as it was read, with all parameters; if parts were released since, none
   *     is released now
   * @param slots of all workers of the node group
   * @param most how many parts to release at most, whatever the window is
   */
  public List<WaitingTrigger> release(Batch seen, int slots, int most, long now) {
    int more = Math.min(most, ReleaseWindow.toRelease(seen.counts(), slots));
    List<Part> parts = more > 0 && seen.kind() == BatchKind.MAP ? stored(seen, more) : List.of();
    int count = seen.kind() == BatchKind.MAP ? parts.size() : more;
    return count <= 0
        ? List.of()
        : stores
            .transactions()
            .inTransaction(
                "release parts of " + seen.nodeGroup(),
                () -> releaseOnce(seen, parts, count, now),
                rows -> rows.isEmpty() || isStored(seen, rows));
  }

  /** The next parts as they are stored: those of an open batch do not change. */
  private List<Part> stored(Batch batch, int more) {
    int released = batch.counts().released();
    List<Part> parts = stores.parts().read(batch.id(), released, more, MAX_BYTES);
    boolean isWhole =
        IntStream.range(0, parts.size())
            .allMatch(i -> parts.get(i).key().number() == released + 1 + i);
    if (parts.isEmpty() || !isWhole) {
      LOG.error(
          "batch {} lacks stored parts among the {} after part {}; none is released",
          batch.id(),
          more,
          released);
      return List.of();
    }
    return parts;
  }

  private List<WaitingTrigger> releaseOnce(Batch seen, List<Part> parts, int count, long now) {
    int before = seen.counts().released();
    if (!stores.batches().release(seen.id(), before, before + count)) {
      return List.of();
    }
    int first = before + 1;
    int last = before + count;
    List<WaitingTrigger> rows =
        switch (seen.kind()) {
          case MAP -> parts.stream().map(part -> waiting(seen, part, now)).toList();
          case SHARDS -> shards(seen, first, last, ids, now);
          case BROADCAST ->
              bound(seen, stores.batches().workersOf(seen.id()), first, last, ids, now);
        };
    stores.waiting().insert(seen.nodeGroup(), rows);
    return rows;
  }

  private WaitingTrigger waiting(Batch batch, Part part, long now) {
    return batch.part(part.key().number(), ids.next(now), part.handler(), part.params(), now);
  }

  /** If a part was claimed meanwhile, the work runs again and finds that it was done. */
  private boolean isStored(Batch seen, List<WaitingTrigger> rows) {
    return stores.waiting().lock(seen.nodeGroup(), rows.get(0).id());
  }

  static List<WaitingTrigger> shards(Batch batch, int first, int last, IdSequence ids, long now) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(number -> batch.part(number, ids.next(now), batch.run().params(), now))
        .toList();
  }

  /** Part {@code n} is for the {@code n}th worker. */
  static List<WaitingTrigger> bound(
      Batch batch, List<BoundTo> workers, int first, int last, IdSequence ids, long now) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(n -> batch.boundPart(n, ids.next(now), workers.get(n - 1), now))
        .toList();
  }
}
