package io.millrace.benchmarks.report;

import io.millrace.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of one measure on one database. Ratios are ratios of medians: Millrace's divided by
 * the other's, whichever direction is better.
 *
 * @param ours null if Millrace has no value
 * @param peer the best peer; null if no peer has a value
 * @param bestPeer the values of the best peer
 * @param ceiling the values of the ceiling; null if it was not measured
 * @param ratioToBaseline the ratio to Millrace's value of another measure; null if there is none
 */
public record Comparison(
    String database,
    Measure measure,
    @Nullable Spread ours,
    @Nullable String peer,
    @Nullable Spread bestPeer,
    @Nullable Spread ceiling,
    @Nullable Double ratioToBaseline) {

  /** Returns all comparisons of these results, ordered by database and measure. */
  public static List<Comparison> of(Results results) {
    List<Comparison> comparisons = new ArrayList<>();
    for (String database : results.databases()) {
      for (Measure measure : Measure.values()) {
        if (!results.contenders(database, measure).isEmpty()) {
          comparisons.add(of(results, database, measure));
        }
      }
    }
    return comparisons;
  }

  private static Comparison of(Results results, String database, Measure measure) {
    Spread ours = first(results, database, measure, Role.OURS);
    Measured peer = bestPeer(results, database, measure).orElse(null);
    return new Comparison(
        database,
        measure,
        ours,
        peer == null ? null : peer.name(),
        peer == null ? null : results.spread(database, measure, peer).orElseThrow(),
        first(results, database, measure, Role.CEILING),
        measure.baseline() == null
            ? null
            : ratio(ours, first(results, database, measure.baseline(), Role.OURS)));
  }

  private static @Nullable Spread first(
      Results results, String database, Measure measure, Role role) {
    return results.contenders(database, measure).stream()
        .filter(contender -> contender.role() == role)
        .findFirst()
        .flatMap(contender -> results.spread(database, measure, contender))
        .orElse(null);
  }

  private static Optional<Measured> bestPeer(Results results, String database, Measure measure) {
    Comparator<Measured> byMedian =
        Comparator.comparingDouble(
            peer -> results.spread(database, measure, peer).orElseThrow().median());
    return results.contenders(database, measure).stream()
        .filter(contender -> contender.role() == Role.PEER)
        .max(measure.moreIsBetter() ? byMedian : byMedian.reversed());
  }

  private static @Nullable Double ratio(@Nullable Spread ours, @Nullable Spread other) {
    return ours == null || other == null || other.median() == 0
        ? null
        : ours.median() / other.median();
  }

  /** Returns Millrace's value divided by the best peer's; null if either is missing. */
  public @Nullable Double ratioToBestPeer() {
    return ratio(ours, bestPeer);
  }

  /** Returns Millrace's value divided by the ceiling; null if either is missing. */
  public @Nullable Double ratioToCeiling() {
    return ratio(ours, ceiling);
  }
}
