package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves parts into waiting, a window at a time, each in a transaction of its own. Thread-safe. */
public final class PartRelease {
  private static final Logger LOG = LoggerFactory.getLogger(PartRelease.class);

  /** The most bytes of parameters that one transaction moves, unless a part alone has more. */
  private static final long MAX_BYTES = 4 << 20;

  private final Stores stores;
  private final StoredPartTriggers triggers;
  private final IdSequence ids;

  public PartRelease(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.triggers = new StoredPartTriggers(stores, ids);
    this.ids = ids;
  }

  /**
   * What one transaction released.
   *
   * @param rows parts that were moved into waiting
   * @param takenOver parts that do not run, for they succeeded in the run that was replayed
   */
  public record Released(List<WaitingTrigger> rows, int takenOver) {
    static final Released NOTHING = new Released(List.of(), 0);

    /** How many parts there were. */
    public int parts() {
      return rows.size() + takenOver;
    }
  }

  /**
   * Releases the next parts of a batch if its window is less than half full.
   *
   * @param seen the batch as it was read, with all parameters; if parts were released since, none
   *     is released now
   * @param slots of all workers of the node group
   * @param most how many parts to release at most, whatever the window is
   */
  public Released release(Batch seen, int slots, int most, long now) {
    int more = Math.min(most, ReleaseWindow.toRelease(seen.counts(), slots));
    return more <= 0 ? Released.NOTHING : releaseNext(seen, more, now);
  }

  /**
   * Of shards, and of parts for one worker each, only replays are stored, and what a replay of the
   * whole run takes over.
   */
  private Released releaseNext(Batch seen, int more, long now) {
    int before = seen.counts().released();
    List<Part> stored = stores.parts().read(seen.id(), before, more, MAX_BYTES);
    boolean isNext = !stored.isEmpty() && stored.get(0).key().number() == before + 1;
    int unstored =
        seen.kind() != BatchKind.MAP && !isNext
            ? Math.min(Math.min(more, seen.places() - before), roomFor(seen.run().params(), 0))
            : 0;
    if (unstored <= 0 && !isWhole(seen, stored)) {
      return Released.NOTHING;
    }
    return stores
        .transactions()
        .inTransaction(
            "release parts of " + seen.nodeGroup(),
            () ->
                unstored > 0
                    ? releaseUnstored(seen, unstored, now)
                    : releaseStored(seen, stored, now),
            done -> done.rows().isEmpty() || isStored(seen, done.rows()));
  }

  /**
   * How many parts with these parameters still fit into a transaction; one fits into an empty one.
   *
   * @param moved bytes of parameters that the transaction moves already
   */
  public static int roomFor(StoredParams each, long moved) {
    long room = Math.max(0, MAX_BYTES - moved) / Math.max(1, each.bytes());
    return (int) (moved == 0 ? Math.max(1, room) : room);
  }

  /** Whether the next parts are there as they were stored: those of an open batch do not change. */
  private static boolean isWhole(Batch batch, List<Part> parts) {
    int released = batch.counts().released();
    boolean isWhole =
        !parts.isEmpty()
            && IntStream.range(0, parts.size())
                .allMatch(i -> parts.get(i).key().number() == released + 1 + i);
    if (!isWhole) {
      LOG.error(
          "batch {} lacks stored parts after part {}; none is released", batch.id(), released);
    }
    return isWhole;
  }

  private Released releaseUnstored(Batch seen, int count, long now) {
    int before = seen.counts().released();
    if (!stores.batches().release(seen.id(), before, before + count)) {
      return Released.NOTHING;
    }
    int first = before + 1;
    int last = before + count;
    List<WaitingTrigger> rows =
        seen.kind() == BatchKind.BROADCAST
            ? bound(seen, stores.batches().workersOf(seen.id()), first, last, ids, now)
            : shards(seen, first, last, ids, now);
    stores.waiting().insert(seen.nodeGroup(), rows);
    return new Released(rows, 0);
  }

  private Released releaseStored(Batch seen, List<Part> parts, long now) {
    int before = seen.counts().released();
    if (!stores.batches().release(seen.id(), before, before + parts.size())) {
      return Released.NOTHING;
    }
    List<WaitingTrigger> rows =
        parts.stream()
            .filter(part -> part.state() == PartState.NOT_ENDED)
            .map(part -> triggers.of(seen, part, now))
            .toList();
    int takenOver = parts.size() - rows.size();
    if (takenOver > 0) {
      PartEnds ends = PartEnds.of(LedgerStatus.SUCCEEDED, takenOver);
      stores.batches().countEnds(Map.of(seen.id(), ends));
    }
    if (!rows.isEmpty()) {
      stores.waiting().insert(seen.nodeGroup(), rows);
    }
    return new Released(rows, takenOver);
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
