package io.millrace.jobtracker.explain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;

/**
 * Ranks task ids by how few typing errors separate them from another one: a character too many, too
 * few, wrong, or swapped with its neighbour. Ignores case.
 */
final class SimilarTaskIds {
  private static final int MOST = 5;

  /** The least length of a beginning that makes a longer task id count as similar. */
  private static final int SHORTEST_BEGINNING = 3;

  private SimilarTaskIds() {}

  private record Ranked(String taskId, int distance) {}

  /** At most five of the candidates, nearest first; leaves out those that differ too much. */
  static List<String> to(String taskId, Collection<String> candidates) {
    String wanted = taskId.toLowerCase(Locale.ROOT);
    DamerauLevenshteinDistance distance =
        new DamerauLevenshteinDistance(Math.max(1, wanted.length() / 3));
    return candidates.stream()
        .distinct()
        .map(candidate -> rank(wanted, candidate, distance))
        .filter(ranked -> ranked.distance() >= 0)
        .sorted(Comparator.comparingInt(Ranked::distance).thenComparing(Ranked::taskId))
        .limit(MOST)
        .map(Ranked::taskId)
        .toList();
  }

  private static Ranked rank(String wanted, String candidate, DamerauLevenshteinDistance distance) {
    String word = candidate.toLowerCase(Locale.ROOT);
    int slips = distance.apply(wanted, word);
    boolean begins = wanted.length() >= SHORTEST_BEGINNING && word.startsWith(wanted);
    return new Ranked(candidate, slips < 0 && begins ? word.length() - wanted.length() : slips);
  }
}
