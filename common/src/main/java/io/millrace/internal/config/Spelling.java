package io.millrace.internal.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the probable correct spelling of a word. */
final class Spelling {

  private Spelling() {}

  /** The candidate with the fewest typing mistakes, if it is similar enough to the word. */
  static Optional<String> nearest(String word, Collection<String> candidates) {
    int most = Math.max(2, word.length() / 3);
    return candidates.stream()
        .filter(candidate -> mistakes(word, candidate) <= most)
        .min(
            Comparator.<String>comparingInt(candidate -> mistakes(word, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** The number of letters inserted, left out, changed, or swapped with their neighbour. */
  static int mistakes(String left, String right) {
    int[][] cost = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, left, right, i, j);
      }
    }
    return cost[left.length()][right.length()];
  }

  private static int cheapest(int[][] cost, String left, String right, int i, int j) {
    int change = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
    int best =
        Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1));
    boolean swapped =
        i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
