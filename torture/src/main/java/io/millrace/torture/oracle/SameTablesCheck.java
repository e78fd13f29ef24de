package io.millrace.torture.oracle;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that tables read from several sources are equal: the nodes of a cluster, or a file before
 * and after its tracker was stopped in order.
 */
final class SameTablesCheck implements Check {
  private static final int MOST_EXAMPLES = 3;

  private final Map<String, Tables> read;

  /**
   * @param read the tables by the name of their source; the first one is the reference
   */
  SameTablesCheck(Map<String, Tables> read) {
    this.read = read;
  }

  @Override
  public void check(Records records, Findings findings) {
    String first = read.keySet().iterator().next();
    Tables wanted = records.tables();
    read.forEach(
        (place, tables) -> {
          int before = findings.count(Promise.LOST);
          Place places = new Place(first, place);
          compare(places, "jt_history", wanted.ledger(), tables.ledger(), findings);
          compare(places, "what waits or executes", wanted.live(), tables.live(), findings);
          compare(places, "jt_job", wanted.jobs(), tables.jobs(), findings);
          compare(places, "jt_dead", wanted.dead(), tables.dead(), findings);
          if (!place.equals(first) && findings.count(Promise.LOST) == before) {
            findings.tally("places that hold the same rows as " + first);
          }
        });
  }

  private record Place(String first, String other) {}

  private static <T> void compare(
      Place places, String table, List<T> first, List<T> other, Findings findings) {
    Set<T> missing = without(first, other);
    Set<T> extra = without(other, first);
    if (!missing.isEmpty() || !extra.isEmpty()) {
      findings.broken(
          Promise.LOST,
          "of %d rows of %s in %s, %s lacks %d, such as %s, and has %d others, such as %s"
              .formatted(
                  first.size(),
                  table,
                  places.first(),
                  places.other(),
                  missing.size(),
                  examples(missing),
                  extra.size(),
                  examples(extra)));
    }
  }

  private static <T> Set<T> without(List<T> these, Collection<T> those) {
    Set<T> left = new HashSet<>(these);
    left.removeAll(new HashSet<>(those));
    return left;
  }

  private static String examples(Set<?> rows) {
    return rows.stream().limit(MOST_EXAMPLES).toList().toString();
  }
}
