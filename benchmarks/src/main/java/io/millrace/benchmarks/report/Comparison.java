package io.millrace.benchmarks.report;

import io.millrace.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one measure came to on one database. Ratios are of medians: ours divided by the other's,
 * whichever direction is the better one.
 *
 * @param ours null if Millrace came to no value
 * @param peer the best of the peers; null if none came to a value
 * @param bestPeer its values
 * @param ceiling null if it was not measured
 * @param ratioToBaseline to our own value of another measure; null if there is none
 */
public record Comparison(
    String database,
    Measure measure,
    @Nullable Spread ours,
    @Nullable String peer,
    @Nullable Spread bestPeer,
    @Nullable Spread ceiling,
    @Nullable Double ratioToBaseline) {

  /** All that can be said of these results, in the order of databases and measures. */
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

  /** Ours divided by the best peer's; null if one of the two is missing. */
  public @Nullable Double ratioToBestPeer() {
    return ratio(ours, bestPeer);
  }

  /** Ours divided by the ceiling; null if one of the two is missing. */
  public @Nullable Double ratioToCeiling() {
    return ratio(ours, ceiling);
  }
}
