package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import org.jspecify.annotations.Nullable;

/** Describes what can be done about a dead trigger or was done, and which trigger replaced it. */
final class DeadWords {
  private final FactPhrases phrases;

  DeadWords(FactPhrases phrases) {
    this.phrases = phrases;
  }

  /** The sentence after the one that reports that a trigger is dead. */
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

  /** The sentence that names the dead trigger that a run replays; empty if the run is no replay. */
  String origin(@Nullable Long replayOf) {
    return replayOf == null ? "" : phrases.say("dead.origin", replayOf);
  }
}
