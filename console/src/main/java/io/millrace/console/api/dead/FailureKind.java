package io.millrace.console.api.dead;

import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What dead triggers of the same failure have in common: the cause and the first line of the
 * message, without what only names one of them. Left out are UUIDs, times in ISO 8601, and numbers
 * of four digits or more, also hexadecimal ones of eight or more. Shorter numbers stay: they tell
 * failures apart, such as HTTP 404 and HTTP 503.
 *
 * @param cause in English; null if there is none
 * @param message null if the last attempt said nothing
 */
record FailureKind(@Nullable String cause, @Nullable String message) {
  private static final String LEFT_OUT = "…";

  private static final Pattern NAMES =
      Pattern.compile(
          String.join(
              "|",
              "\\b\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b",
              "\\b\\d{4}-\\d\\d-\\d\\d([T"
                  + " ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?)?(Z|[+-]\\d\\d:?\\d\\d)?",
              "\\b(0x)?(?=\\p{Alpha}*\\d)\\p{XDigit}{8,}\\b",
              "\\d{4,}"));

  static FailureKind of(DeadTrigger dead, FirstLines messages) {
    return new FailureKind(
        withoutNames(CauseWords.english(dead.cause())), withoutNames(messages.of(dead)));
  }

  static @Nullable String withoutNames(@Nullable String text) {
    return text == null ? null : NAMES.matcher(text).replaceAll(LEFT_OUT);
  }
}
