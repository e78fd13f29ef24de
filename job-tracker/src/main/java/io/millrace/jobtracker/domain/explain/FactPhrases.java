package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.cron.LocalFire;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.phrase.LocalInstant;
import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.phrase.Translations;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The phrases of explanations in one language: its catalogue, and how it writes instants, by the
 * clocks of one zone, spans of time, triggers and causes. Immutable and thread-safe.
 */
final class FactPhrases extends Phrases {
  private static final Translations<Locale> LANGUAGES = Translations.of(language -> language);

  private final CauseWords causes;
  private final @Nullable ZoneId zone;

  private FactPhrases(Locale language, @Nullable ZoneId zone) {
    super(FactPhrases.class, "facts", language);
    this.causes = CauseWords.of(language);
    this.zone = zone;
  }

  /**
   * The phrases of a language: Chinese for a Chinese locale, otherwise English.
   *
   * @param zone by whose clocks they say instants; null for UTC in ISO 8601
   */
  static FactPhrases of(Locale language, @Nullable ZoneId zone) {
    return new FactPhrases(LANGUAGES.in(language), zone);
  }

  /** An instant, given in epoch milliseconds. */
  String at(long millis) {
    return at(Instant.ofEpochMilli(millis));
  }

  /** An instant, by the clocks of the zone; see {@link LocalInstant}. */
  String at(Instant instant) {
    return zone == null ? instant.toString() : LocalInstant.of(instant, zone);
  }

  /** A fire time of a cron expression, which counts by the clocks of a zone, and how far it is. */
  String fire(LocalFire fire, ZoneId ofSchedule, long now) {
    String in = atIn(fire.at().toEpochMilli(), now);
    if (ofSchedule.equals(zone)) {
      return fire.note() == null ? in : say("fire.note", in, fire.note());
    }
    String local = zone == null ? fire.local().toString() : LocalInstant.of(fire.at(), ofSchedule);
    return fire.note() == null
        ? say("fire.local", in, local, ofSchedule)
        : say("fire.local.note", in, local, ofSchedule, fire.note());
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
    return say("at.in", at(millis), span(millis - now));
  }

  /** A past instant, and how long ago it was. */
  String since(long millis, long now) {
    return say("at.ago", at(millis), span(now - millis));
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
      return say("trigger.extra", key.ordinal(), at(plannedFor));
    }
    return key.plannedAt() == 0 ? say("trigger.one-shot") : say("trigger.planned", at(plannedFor));
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
    String at = at(settlement.at());
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
