package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.batch.StoredPartTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.LedgerStore.EndedParts;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the parts of a run anew, in a transaction that has its row: nobody ends, releases or
 * retries a part meanwhile. A part that waits although it has ended is deleted. One that is in no
 * table is written again, or counts as cancelled if the run was stopped. Thread-safe.
 */
final class BatchRecount {
  /** Of larger runs only what can be told from those that live is repaired. */
  private static final int MOST_PARTS = 100_000;

  /** Parts that one transaction writes; the next run of the reconciler finds the others. */
  private static final int MOST_WRITTEN = 900;

  /** The most bytes of parts that are read at a time. */
  private static final long MOST_BYTES = 4 << 20;

  /** For so long after it was opened, the ledger has all ends of a run's parts. */
  private static final Duration REMEMBERED = Duration.ofDays(1);

  private final JobRepair repair;
  private final Stores stores;
  private final CompletionRecorder recorder;
  private final StoredPartTriggers parts;

  BatchRecount(JobRepair repair) {
    this.repair = repair;
    this.stores = repair.stores();
    this.recorder = new CompletionRecorder(stores, repair.ids());
    this.parts = new StoredPartTriggers(stores, repair.ids());
  }

  /**
   * What a recount found and did.
   *
   * @param before the counts in the row
   * @param after the counts that are right
   * @param strays waiting rows of parts that had ended
   * @param written parts that were in no table, and wait again
   * @param cancelled parts that were in no table, and count as cancelled
   * @param unknown parts of which nothing is known
   * @param corrected whether the counts, or the mark that all have ended, were wrong
   */
  private record Recounted(
      PartCounts before,
      PartCounts after,
      int strays,
      List<WaitingTrigger> written,
      int cancelled,
      int unknown,
      boolean corrected) {}

  void correct(Batch seen, long now, ReconcileReport findings) {
    String name = repair.nameOf(seen.id(), seen.run().key().taskId());
    Optional<Recounted> done = repair.inTransaction("parts of " + name, () -> recount(seen, now));
    done.ifPresent(
        found -> {
          report(name, found, findings);
          repair.signals().triggersStored(repair.group(), found.written());
          repair
              .signals()
              .batchesChanged(
                  repair.group(), Map.of(seen.id(), seen.with(found.after()).progress()));
        });
  }

  private static void report(String name, Recounted done, ReconcileReport findings) {
    if (done.strays() > 0) {
      findings.repaired(
          Inconsistency.PART_WITHOUT_BATCH,
          done.strays(),
          "%s: %d of its parts waited although they had ended; they were deleted"
              .formatted(name, done.strays()));
    }
    int missing = done.written().size() + done.cancelled();
    if (missing > 0) {
      findings.repaired(
          Inconsistency.PART_MISSING,
          missing,
          "%s: %d of its parts were missing; they %s"
              .formatted(
                  name,
                  missing,
                  done.cancelled() > 0 ? "count as cancelled" : "were written again"));
    }
    if (done.unknown() > 0) {
      findings.isBeyondRepair(
          "%s: %d of its parts are in no table, and the ledger may have forgotten them; terminate it"
              .formatted(name, done.unknown()));
    } else if (done.corrected() && missing == 0) {
      findings.repaired(
          Inconsistency.PARTS_MISCOUNTED,
          1,
          "%s: its row counted %s; there are %s"
              .formatted(name, inWords(done.before()), inWords(done.after())));
    }
  }

  private static String inWords(PartCounts counts) {
    return "%d parts that live and %d that ended".formatted(counts.live(), counts.ended().total());
  }

  private Optional<Recounted> recount(Batch seen, long now) {
    LockedBatch row = stores.batches().lock(List.of(seen.id())).get(seen.id());
    return row == null || !row.state().isUnderWay()
        ? Optional.empty()
        : Optional.of(new Tables(seen, row).recount(now));
  }

  /** The parts of one batch by the tables in which they are. */
  private final class Tables {
    private final Batch seen;
    private final LockedBatch row;
    private final List<WaitingTrigger> waiting;
    private final BitSet live = new BitSet();
    private final BitSet ended = new BitSet();
    private final boolean complete;
    private PartEnds ends = PartEnds.NONE;

    /** A claim may move a part from waiting to executing between the two reads. */
    Tables(Batch seen, LockedBatch row) {
      this.seen = seen;
      this.row = row;
      String taskId = PartKey.taskIdOf(row.id());
      this.waiting = stores.waiting().findByTask(repair.group(), taskId);
      waiting.forEach(part -> live.set(part.key().ordinal()));
      stores
          .runs()
          .findByTasks(repair.group(), List.of(taskId))
          .forEach(part -> live.set(part.key().ordinal()));
      List<EndedParts> ledger = stores.ledger().endsOfParts(row.id(), MOST_PARTS + 1);
      for (EndedParts some : ledger) {
        ended.set(some.first(), some.first() + some.parts());
        ends = ends.plus(PartEnds.of(some.status(), some.parts()));
      }
      this.complete =
          ledger.size() <= MOST_PARTS
              && (seen.run().spec().replayOf() == null || countsTakenOver());
    }

    /** Counts what succeeded in the run that this one replays; returns whether it read all. */
    private boolean countsTakenOver() {
      int last = 0;
      List<Part> page;
      do {
        page = stores.parts().read(row.id(), last, MOST_WRITTEN, MOST_BYTES);
        for (Part part : page) {
          last = part.key().number();
          if (part.state() == PartState.SUCCEEDED
              && last <= row.counts().released()
              && !ended.get(last)) {
            ended.set(last);
            ends = ends.plus(PartEnds.of(LedgerStatus.SUCCEEDED, 1));
          }
        }
      } while (!page.isEmpty() && last <= MOST_PARTS);
      return page.isEmpty();
    }

    Recounted recount(long now) {
      int strays = deleteThoseThatEnded();
      live.andNot(ended);
      int released = Math.max(row.counts().released(), Math.max(live.length(), ended.length()) - 1);
      int[] missing = missing(released);
      if (!complete || (missing.length > 0 && !isCertain(missing.length, now))) {
        return new Recounted(
            row.counts(), row.counts(), strays, List.of(), 0, missing.length, false);
      }
      boolean stops = row.state() == BatchState.STOPPING;
      List<WaitingTrigger> written = stops ? List.of() : write(missing, now);
      if (stops) {
        cancel(missing, now);
      }
      PartCounts after =
          new PartCounts(row.counts().total(), released, ends, row.counts().replaced());
      boolean wrong = !after.equals(row.counts()) || (after.isAllEnded() && !isMarked());
      stores.batches().correct(row.id(), after);
      return new Recounted(
          row.counts(), after, strays, written, stops ? missing.length : 0, 0, wrong);
    }

    private boolean isMarked() {
      return stores.batches().findAllEnded(repair.group(), row.id() - 1, 1).contains(row.id());
    }

    private int deleteThoseThatEnded() {
      List<Long> rowIds =
          waiting.stream()
              .filter(part -> ended.get(part.key().ordinal()))
              .map(WaitingTrigger::id)
              .toList();
      if (stores.waiting().delete(repair.group(), rowIds) != rowIds.size()) {
        throw new RaceLostException("a part of batch " + row.id() + " was claimed");
      }
      return rowIds.size();
    }

    private int[] missing(int released) {
      BitSet known = (BitSet) live.clone();
      known.or(ended);
      BitSet missing = new BitSet();
      missing.set(1, released + 1);
      missing.andNot(known);
      return missing.stream().limit(MOST_WRITTEN).toArray();
    }

    /** Whether the ledger has all ends: by its age, or because only those that live are fewer. */
    private boolean isCertain(int missing, long now) {
      Long openedAt = seen.openedAt();
      return (openedAt != null && openedAt > now - REMEMBERED.toMillis())
          || row.counts().live() - live.cardinality() == missing;
    }

    private List<WaitingTrigger> write(int[] numbers, long now) {
      if (numbers.length == 0) {
        return List.of();
      }
      Batch whole = stores.batches().find(List.of(row.id())).get(0);
      List<WaitingTrigger> rows =
          Arrays.stream(numbers).mapToObj(number -> part(whole, number, now)).toList();
      stores.waiting().insert(repair.group(), rows);
      return rows;
    }

    private WaitingTrigger part(Batch whole, int number, long now) {
      if (row.reduce() == ReduceState.RELEASED && number == row.counts().total()) {
        return whole.reducePart(number, repair.ids().next(now), now);
      }
      Part stored =
          stores.parts().read(whole.id(), number - 1, 1).stream()
              .filter(part -> part.key().number() == number)
              .findFirst()
              .orElse(Part.of(new PartKey(whole.id(), number), whole.run().params()));
      return parts.of(whole, stored, now);
    }

    private void cancel(int[] numbers, long now) {
      List<TriggerCompletion> rows =
          Arrays.stream(numbers)
              .mapToObj(number -> seen.part(number, repair.ids().next(now), StoredParams.NONE, now))
              .map(
                  part ->
                      TriggerCompletion.ofWaiting(
                          part.id(),
                          repair.group(),
                          part,
                          seen.specOfParts(),
                          LedgerStatus.CANCELLED,
                          Cause.of(CauseCode.BATCH_STOPPED),
                          now))
              .toList();
      boolean unused = recorder.record(rows, now);
      ends = ends.plus(PartEnds.cancelled(numbers.length));
    }
  }
}
