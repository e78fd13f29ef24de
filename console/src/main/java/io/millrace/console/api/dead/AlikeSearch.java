package io.millrace.console.api.dead;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches for dead triggers that died of the same as another one. No index knows what they died
 * of, so a page examines a bounded number.
 */
record AlikeSearch(DeadStore store, LedgerStore ledger) {
  private static final int AT_ONCE = 500;

  /** The most rows that one page examines. */
  private static final int LOOK_AT = 2_000;

  /** As {@link DeadStore#search}: a page may be short without being the last. */
  DeadStore.Found search(
      DeadStore.Query query, AgeOrder order, DeadTrigger like, @Nullable Place behind, int limit) {
    FailureKind kind = FailureKind.of(like, FirstLines.read(ledger, List.of(like)));
    List<DeadTrigger> alike = new ArrayList<>();
    Place reached = behind;
    for (int looked = 0; looked < LOOK_AT; looked += AT_ONCE) {
      DeadStore.Found found = store.search(query, order, reached, AT_ONCE, DeadFilter.LOOK_AT);
      FirstLines messages = FirstLines.read(ledger, found.dead());
      for (DeadTrigger dead : found.dead()) {
        if (FailureKind.of(dead, messages).equals(kind)) {
          alike.add(dead);
          if (alike.size() == limit) {
            return new DeadStore.Found(alike, new Place(dead.diedAt(), dead.id()));
          }
        }
      }
      reached = found.last();
      if (reached == null) {
        break;
      }
    }
    return new DeadStore.Found(alike, reached);
  }
}
