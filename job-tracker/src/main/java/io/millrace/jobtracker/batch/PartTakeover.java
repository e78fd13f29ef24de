package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.LedgerStore.EndedParts;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies the parts of a run that has ended for another run that replays it: those that succeeded
 * with what they returned, the others as parts that have not ended. Some at a time, each in a
 * transaction of its own; none is a trigger before a batch of the new id is opened. What is never
 * opened is purged. Thread-safe.
 */
public final class PartTakeover {
  /** The most bytes of parameters and results that one transaction copies. */
  private static final long MAX_BYTES = 4 << 20;

  private final Stores stores;

  public PartTakeover(Stores stores) {
    this.stores = stores;
  }

  /**
   * A run whose parts are copied.
   *
   * @param parts into how many it was split
   * @param areStored whether each has a row: the parts that a handler made, and not shards
   * @param areReduced whether a reduce reads what they return: then the rows say which succeeded,
   *     else the ledger does
   */
  public record Source(
      String nodeGroup, long batchId, int parts, boolean areStored, boolean areReduced) {}

  /**
   * Copies all parts, and returns how many bytes of parameters and results they have; empty if some
   * of them, or how some of them ended, is not known any more.
   */
  public Optional<Long> copy(Source source, long newBatchId) {
    BitSet succeeded = new BitSet();
    if (!source.areReduced() && !readLedger(source, succeeded)) {
      return Optional.empty();
    }
    long bytes = 0;
    int copied = 0;
    while (copied < source.parts()) {
      List<Part> page = next(source, copied);
      if (page.isEmpty()) {
        return Optional.empty();
      }
      List<Part> copies = page.stream().map(part -> copy(part, succeeded, newBatchId)).toList();
      copied += copies.size();
      append(source, newBatchId, copies, copied);
      bytes += copies.stream().mapToLong(Part::bytes).sum();
    }
    return Optional.of(bytes);
  }

  private void append(Source source, long newBatchId, List<Part> copies, int last) {
    boolean unused =
        stores
            .transactions()
            .inTransaction(
                "copy parts of " + source.nodeGroup(),
                () -> {
                  stores.parts().append(copies);
                  return true;
                },
                done -> !stores.parts().read(newBatchId, last - 1, 1).isEmpty());
  }

  /** The next parts without a gap; empty if there is one. */
  private List<Part> next(Source source, int above) {
    int most = Math.min(BatchBounds.MAX_PARTS_AT_ONCE, source.parts() - above);
    List<Part> stored =
        stores.parts().readPlaces(source.batchId(), above, most, MAX_BYTES).stream()
            .filter(part -> part.key().number() <= source.parts())
            .toList();
    int last = stored.isEmpty() ? source.parts() : stored.get(stored.size() - 1).key().number();
    List<Part> next = new ArrayList<>();
    int taken = 0;
    for (int number = above + 1; number <= Math.min(last, above + most); number++) {
      if (taken < stored.size() && stored.get(taken).key().number() == number) {
        next.add(stored.get(taken++));
      } else if (source.areStored()) {
        return List.of();
      } else {
        next.add(Part.of(new PartKey(source.batchId(), number), StoredParams.NONE));
      }
    }
    return next;
  }

  private static Part copy(Part part, BitSet succeeded, long newBatchId) {
    int number = part.key().number();
    boolean hasSucceeded = part.state() == PartState.SUCCEEDED || succeeded.get(number);
    return new Part(
        new PartKey(newBatchId, number),
        hasSucceeded ? PartState.SUCCEEDED : PartState.NOT_ENDED,
        part.handler(),
        part.params(),
        hasSucceeded ? part.result() : null,
        null,
        null);
  }

  /** Reads which parts succeeded; returns whether the ledger has the ends of all that ran. */
  private boolean readLedger(Source source, BitSet succeeded) {
    Map<Integer, Integer> places = new HashMap<>();
    BitSet ended = new BitSet();
    int last = 0;
    List<Part> page;
    do {
      page = stores.parts().read(source.batchId(), last, BatchBounds.MAX_PARTS_AT_ONCE, MAX_BYTES);
      for (Part part : page) {
        last = part.key().number();
        if (part.replayOf() != null) {
          places.put(last, part.replayOf());
        } else if (part.state() == PartState.SUCCEEDED) {
          ended.set(last);
        }
      }
    } while (!page.isEmpty());
    int most = source.parts() + places.size() + 1;
    for (EndedParts some : stores.ledger().endsOfParts(source.batchId(), most)) {
      for (int number = some.first(); number < some.first() + some.parts(); number++) {
        int place = places.getOrDefault(number, number);
        ended.set(place);
        if (some.status() == LedgerStatus.SUCCEEDED) {
          succeeded.set(place);
        }
      }
    }
    return ended.get(1, source.parts() + 1).cardinality() == source.parts();
  }
}
