package io.millrace.console.api.dead;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.store.LedgerStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the last attempts of dead triggers said: of each message the first line that is not blank,
 * cut.
 *
 * @param messages by the id of the dead trigger, which is that of its last execution
 */
record FirstLines(Map<Long, String> messages) {
  private static final int MOST_CHARS = 200;

  /** More than is shown: a character may count as two, and blank lines may come first. */
  private static final int READ_CHARS = 2 * MOST_CHARS + 100;

  /** Reads those of all these dead triggers together. */
  static FirstLines read(LedgerStore ledger, Collection<DeadTrigger> dead) {
    List<Long> ids = dead.stream().map(DeadTrigger::id).toList();
    return new FirstLines(ledger.beginningsOfMessages(ids, READ_CHARS));
  }

  /** That of a dead trigger; null if its last attempt said nothing. */
  @Nullable String of(DeadTrigger dead) {
    return firstLine(messages.getOrDefault(dead.id(), ""));
  }

  static @Nullable String firstLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(FirstLines::cut)
        .orElse(null);
  }

  /** Never cuts inside a character. */
  private static String cut(String line) {
    return line.codePointCount(0, line.length()) <= MOST_CHARS
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MOST_CHARS)) + "…";
  }
}
