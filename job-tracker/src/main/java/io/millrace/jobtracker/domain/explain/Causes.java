package io.millrace.jobtracker.domain.explain;

import io.millrace.jobtracker.domain.phrase.Phrases;
import java.text.MessageFormat;
import java.text.ParsePosition;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates the causes of the ledger, which trackers record in English: each one is looked up in
 * the English catalogue. Immutable and thread-safe.
 */
final class Causes {
  private static final String BETWEEN = ", ";
  private static final String KEYS = "cause.";

  private final Phrases english;
  private final Phrases phrases;
  private final List<String> keys;

  Causes(Phrases english, Phrases phrases) {
    this.english = english;
    this.phrases = phrases;
    this.keys = english.keys().stream().filter(key -> key.startsWith(KEYS)).sorted().toList();
  }

  /** Translates each of the causes in a recorded text; an unknown one is returned unchanged. */
  List<String> translate(String noted) {
    return Arrays.stream(noted.split(BETWEEN, -1)).map(this::one).toList();
  }

  private String one(String noted) {
    for (String key : keys) {
      Object[] arguments = argumentsOf(english.pattern(key), noted);
      if (arguments != null) {
        return phrases.say(key, arguments);
      }
    }
    return noted;
  }

  private static Object @Nullable [] argumentsOf(String pattern, String noted) {
    ParsePosition end = new ParsePosition(0);
    Object[] arguments = new MessageFormat(pattern).parse(noted, end);
    return end.getIndex() == noted.length() ? arguments : null;
  }
}
