package io.millrace.torture.oracle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which triggers replay which dead ones. Immutable.
 *
 * @param deadOf the dead trigger of each replay
 */
record Origins(Map<LedgerEntry.Trigger, LedgerEntry.Trigger> deadOf) {

  Origins {
    deadOf = Map.copyOf(deadOf);
  }

  static Origins of(List<DeadRow> rows) {
    Map<LedgerEntry.Trigger, LedgerEntry.Trigger> deadOf = new HashMap<>();
    for (DeadRow row : rows) {
      LedgerEntry.@Nullable Trigger replay = row.replay();
      if (replay != null) {
        deadOf.putIfAbsent(replay, row.trigger());
      }
    }
    return new Origins(deadOf);
  }

  boolean isReplay(LedgerEntry.Trigger trigger) {
    return deadOf.containsKey(trigger);
  }

  /** Returns the trigger that died first, of which this one is a replay; otherwise itself. */
  LedgerEntry.Trigger firstOf(LedgerEntry.Trigger trigger) {
    LedgerEntry.Trigger first = trigger;
    for (LedgerEntry.@Nullable Trigger dead = trigger; dead != null; dead = deadOf.get(dead)) {
      first = dead;
    }
    return first;
  }
}
