package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The phrases of explanations in one language: its catalogue, and how it writes instants, spans of
 * time, triggers and causes. Immutable and thread-safe.
 */
final class FactPhrases extends Phrases {
  private static final Translations<FactPhrases> PHRASES = Translations.of(FactPhrases::new);

  private final CauseWords causes;

  private FactPhrases(Locale language) {
    super(FactPhrases.class, "facts", language);
    this.causes = CauseWords.of(language);
  }

  /** The phrases of a language: Chinese for a Chinese locale, otherwise English. */
  static FactPhrases of(Locale language) {
    return PHRASES.in(language);
  }

  /** A number of things, such as {@code 1 worker} or {@code 1,200 workers}. */
  String count(long number, String things) {
    return Words.grouped(number) + " " + sayFor(number, things);
  }

  /** The first items as a list, at most {@code most}, and how many more there are. */
  String list(List<String> items, int most) {
    String shown = list(items.subList(0, Math.min(most, items.size())));
    return items.size() > most ? say("list.more", shown, items.size() - most) : shown;
  }

  /** A future instant, and how far away it is. */
  String atIn(long millis, long now) {
    return say("at.in", Words.at(millis), span(millis - now));
  }

  /** A past instant, and how long ago it was. */
  String since(long millis, long now) {
    return say("at.ago", Words.at(millis), span(now - millis));
  }

  /** A span of time in its one or two largest units. */
  String span(long millis) {
    return Arrays.stream(Words.span(millis).split(" ", -1))
        .map(part -> Character.isDigit(part.charAt(0)) ? part : say("unit." + part))
        .collect(Collectors.joining(" "));
  }

  /** A trigger at the beginning of a sentence. */
  String trigger(TriggerKey key, long plannedFor) {
    if (key.isExtra() && key.plannedAt() == 0) {
      return say("trigger.part", Words.grouped(key.ordinal()), key.taskId().substring(1));
    }
    if (key.isExtra()) {
      return say("trigger.extra", key.ordinal(), Words.at(plannedFor));
    }
    return key.plannedAt() == 0
        ? say("trigger.one-shot")
        : say("trigger.planned", Words.at(plannedFor));
  }

  /** The trigger that a row of the ledger is about, or the parts that were never released. */
  String triggers(LedgerEntry row) {
    TriggerKey key = row.key();
    return PartKey.of(row.core()).isPresent() && row.instants() > 1
        ? say(
            "trigger.parts",
            Words.grouped(key.ordinal()),
            Words.grouped(key.ordinal() + row.instants() - 1),
            key.taskId().substring(1))
        : trigger(key, row.plannedFor());
  }

  /** A trigger within a sentence. */
  String ofTrigger(TriggerKey key, long plannedFor) {
    String name = trigger(key, plannedFor);
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** The worker on which something happened; empty if it is not known. */
  String where(@Nullable String worker) {
    return worker == null ? "" : say("where", worker);
  }

  /** The worker from which something came; empty if it is not known. */
  String from(@Nullable String worker) {
    return worker == null ? "" : say("from", worker);
  }

  /** The cause of what happened; empty if none was recorded. */
  String byCause(@Nullable Cause cause) {
    return cause == null ? "" : say("by-cause", cause(cause));
  }

  /** A cause in words. */
  String cause(Cause cause) {
    return causes.say(cause);
  }

  /** A tracker, as a phrase within a sentence. */
  String tracker(Serving.Elsewhere tracker) {
    return say("tracker", tracker.number(), tracker.address());
  }

  /** What can be done about a dead trigger, or was done: the sentence after its end. */
  String fate(DeadTrigger dead) {
    Settlement settlement = dead.settlement();
    if (settlement == null) {
      return say("dead.replayable", dead.id());
    }
    String by = settlement.by();
    String at = Words.at(settlement.at());
    if (settlement.replay() == null) {
      return say("dead.discarded", by, at);
    }
    return dead.isOfRecurringJob()
        ? say("dead.replayed.extra", by, at, settlement.replay().ordinal())
        : say("dead.replayed.one-shot", by, at, settlement.replay().id());
  }

  /** The sentence that names the dead trigger that a run replays; empty if the run is no replay. */
  String origin(@Nullable Long replayOf) {
    return replayOf == null ? "" : say("dead.origin", replayOf);
  }
}
