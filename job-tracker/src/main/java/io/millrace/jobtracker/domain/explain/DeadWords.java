package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import org.jspecify.annotations.Nullable;

/** What can be done, or was, about what is dead; and what was written in its place. */
final class DeadWords {
  private final FactPhrases phrases;

  DeadWords(FactPhrases phrases) {
    this.phrases = phrases;
  }

  /** A sentence that follows the one which says that a trigger is dead. */
  String fate(DeadTrigger dead) {
    Settlement settlement = dead.settlement();
    if (settlement == null) {
      return phrases.say("dead.replayable", dead.id());
    }
    String by = settlement.by();
    String at = Words.at(settlement.at());
    if (settlement.replay() == null) {
      return phrases.say("dead.discarded", by, at);
    }
    return dead.isOfRecurringJob()
        ? phrases.say("dead.replayed.extra", by, at, settlement.replay().ordinal())
        : phrases.say("dead.replayed.one-shot", by, at, settlement.replay().id());
  }

  /** A sentence on what a run was to replay; empty if it is no replay. */
  String origin(@Nullable Long replayOf) {
    return replayOf == null ? "" : phrases.say("dead.origin", replayOf);
  }
}
