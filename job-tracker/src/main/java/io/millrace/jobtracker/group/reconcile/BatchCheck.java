package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a run that was split counts its parts rightly, and that it goes on or ends: whether
 * its parts that wait and run are as many as it says, and those that ended, as far as the ledger
 * still has them. Not thread-safe.
 */
final class BatchCheck {
  /** The ends of parts of larger runs are counted only if those that live are miscounted. */
  private static final int SMALL = 10_000;

  /** A tracker ends, releases and withdraws within seconds what another left. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final JobRepair repair;
  private final Stores stores;
  private final BatchRecount recount;
  private final Map<Long, Idle> idle = new HashMap<>();

  /** A run that should go on. */
  private record Idle(PartCounts counts, long since) {}

  BatchCheck(JobRepair repair) {
    this.repair = repair;
    this.stores = repair.stores();
    this.recount = new BatchRecount(repair);
  }

  void check(Batch batch, long now, ReconcileReport findings) {
    findings.attempt(
        repair.nameOf(batch.id(), batch.run().key().taskId()),
        () -> {
          if (isSuspect(batch) && isAsItWas(batch)) {
            recount.correct(batch, now, findings);
          }
          checkThatItGoesOn(batch, now, findings);
        });
  }

  /** Whether no part ended while the tables were read; otherwise the next run looks again. */
  private boolean isAsItWas(Batch batch) {
    LockedBatch now = stores.batches().look(List.of(batch.id())).get(batch.id());
    return now != null && now.counts().equals(batch.counts()) && now.state() == batch.state();
  }

  private boolean isSuspect(Batch batch) {
    PartCounts counts = batch.counts();
    List<String> taskId = List.of(PartKey.taskIdOf(batch.id()));
    int live =
        stores.waiting().findByTask(repair.group(), taskId.get(0)).size()
            + stores.executing().findByTasks(repair.group(), taskId).size();
    return live != counts.live()
        || (counts.isAllEnded() && !isMarkedAsEnded(batch.id()))
        || (counts.total() <= SMALL && isContradicted(batch));
  }

  private boolean isMarkedAsEnded(long id) {
    return stores.batches().findAllEnded(repair.group(), id - 1, 1).contains(id);
  }

  /** The ledger may have fewer ends than there were: it forgets. */
  private boolean isContradicted(Batch batch) {
    PartEnds counted = batch.counts().ended();
    PartEnds ledger = stores.ledger().countEndsOfParts(batch.id());
    return ledger.total() >= counted.total() && !ledger.equals(counted);
  }

  private void checkThatItGoesOn(Batch batch, long now, ReconcileReport findings) {
    idle.values().removeIf(each -> each.since() < now - Duration.ofHours(1).toMillis());
    String why = whyIdle(batch);
    Idle before = idle.get(batch.id());
    if (why == null) {
      idle.remove(batch.id());
    } else if (before == null || !before.counts().equals(batch.counts())) {
      idle.put(batch.id(), new Idle(batch.counts(), now));
    } else if (now - before.since() >= GRACE.toMillis()) {
      findings.isBeyondRepair(
          "%s: %s; the log says what keeps it"
              .formatted(repair.nameOf(batch.id(), batch.run().key().taskId()), why));
    }
  }

  private @Nullable String whyIdle(Batch batch) {
    PartCounts counts = batch.counts();
    if (counts.isAllEnded()) {
      return "all its parts have ended, and it does not end";
    }
    if (batch.state() == BatchState.STOPPING) {
      return stores
              .waiting()
              .findByTask(repair.group(), PartKey.taskIdOf(batch.id()), Long.MIN_VALUE, 1)
              .isEmpty()
          ? null
          : "it was stopped, and parts of it still wait";
    }
    return counts.live() == 0 ? "none of its parts waits or runs, and none is released" : null;
  }
}
