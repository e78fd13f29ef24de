package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.trigger.DeadTrigger;
import io.millrace.jobtracker.domain.trigger.DeadTrigger.Settlement;
import org.jspecify.annotations.Nullable;

/** What can be done, or was, about what is dead; and what was written in its place. */
final class DeadWords {
  private DeadWords() {}

  /** A sentence that follows the one which says that a trigger is dead. */
  static String fate(DeadTrigger dead) {
    Settlement settlement = dead.settlement();
    if (settlement == null) {
      return " It can be replayed as dead trigger " + dead.id() + ".";
    }
    String by = " by " + settlement.by() + " at " + Words.at(settlement.at());
    if (settlement.replay() == null) {
      return " It was discarded" + by + ", and can be replayed all the same.";
    }
    return " It was replayed"
        + by
        + (dead.isOfRecurringJob()
            ? " as extra run " + settlement.replay().ordinal() + "."
            : " as one-shot " + settlement.replay().id() + ".");
  }

  /** A sentence on what a run was to replay; empty if it is no replay. */
  static String origin(@Nullable Long replayOf) {
    return replayOf == null ? "" : " It is the replay of dead trigger " + replayOf + ".";
  }
}
