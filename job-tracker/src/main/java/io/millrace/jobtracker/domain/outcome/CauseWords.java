package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.phrase.Phrases;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Puts causes into words of one language. Immutable and thread-safe. */
public final class CauseWords {
  private static final CauseWords ENGLISH = new CauseWords(Locale.ENGLISH);

  private final Phrases phrases;

  /**
   * @param language a language that has a catalogue: English or Chinese
   */
  public CauseWords(Locale language) {
    this.phrases = Phrases.read(CauseWords.class, "causes", language);
  }

  /** A cause in English; null if there is none. */
  public static @Nullable String english(@Nullable Cause cause) {
    return cause == null ? null : ENGLISH.say(cause);
  }

  /** A cause in words, with those that add to it. */
  public String say(Cause cause) {
    List<String> words = new ArrayList<>();
    for (Cause next = cause; next != null; next = next.further()) {
      words.add(phrases.say(next.code().name(), next.arguments().toArray()));
    }
    return phrases.list(words);
  }
}
