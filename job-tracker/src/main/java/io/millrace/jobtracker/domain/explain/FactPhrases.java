package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.phrase.Phrases;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What explanations say, in one language: its catalogue, and how instants, spans of time, triggers
 * and causes are put. Immutable and thread-safe.
 */
final class FactPhrases {
  static final FactPhrases ENGLISH = new FactPhrases(Locale.ENGLISH);
  static final FactPhrases CHINESE = new FactPhrases(Locale.CHINESE);

  private final Locale language;
  private final Phrases phrases;
  private final Causes causes;

  private FactPhrases(Locale language) {
    this.language = language;
    this.phrases = Phrases.read(FactPhrases.class, "facts", language);
    this.causes = new Causes(Phrases.read(FactPhrases.class, "facts", Locale.ENGLISH), phrases);
  }

  /** Those of a language: Chinese if that is what it is, otherwise English. */
  static FactPhrases of(Locale language) {
    return language.getLanguage().equals(Locale.CHINESE.getLanguage()) ? CHINESE : ENGLISH;
  }

  Locale language() {
    return language;
  }

  /** The phrase of a key with its places filled. */
  String say(String key, Object... arguments) {
    return phrases.say(key, arguments);
  }

  /** The phrase for one or for many, with its places filled. */
  String sayFor(long number, String key, Object... arguments) {
    return phrases.sayFor(number, key, arguments);
  }

  /** A number of things, such as {@code 1 worker} or {@code 1,200 workers}. */
  String count(long number, String things) {
    return Words.count(number, say(things + ".one"), say(things + ".many"));
  }

  /** At most so many of the items as a list, and how many more there are. */
  String list(List<String> items, int most) {
    String shown = phrases.list(items.subList(0, Math.min(most, items.size())));
    return items.size() > most ? say("list.more", shown, items.size() - most) : shown;
  }

  /** Sentences that follow one another; empty ones are left out. */
  String sentences(String... sentences) {
    return phrases.sentences(sentences);
  }

  /** An instant to come, and how far away it is. */
  String atIn(long millis, long now) {
    return say("at.in", Words.at(millis), span(millis - now));
  }

  /** An instant that is past, and how long ago it was. */
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
    if (key.isExtra()) {
      return say("trigger.extra", key.ordinal(), Words.at(plannedFor));
    }
    return key.plannedAt() == 0
        ? say("trigger.one-shot")
        : say("trigger.planned", Words.at(plannedFor));
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

  /** Why, behind what happened; empty if no cause was noted. */
  String byCause(@Nullable String cause) {
    return cause == null ? "" : say("by-cause", cause(cause));
  }

  /** A cause as the ledger has it; one that is not known is left as it is. */
  String cause(String noted) {
    return phrases.list(causes.translate(noted));
  }

  /** A tracker, as a phrase within a sentence. */
  String tracker(Serving.Elsewhere tracker) {
    return say("tracker", tracker.number(), tracker.address());
  }
}
