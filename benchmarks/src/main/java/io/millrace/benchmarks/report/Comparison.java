package io.millrace.benchmarks.report;

import io.millrace.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of one measure on one database. Ratios are ratios of medians: Millrace's divided by
 * the other's, whichever direction is better.
 *
 * @param contender the name of ours; null if none was measured
 * @param ours null if ours has no value
 * @param peer the best peer; null if no peer has a value
 * @param bestPeer the values of the best peer
 * @param ceiling the values of the ceiling; null if it was not measured
 * @param ratioToBaseline the ratio to Millrace's value of another measure; null if there is none
 */
public record Comparison(
    String database,
    Measure measure,
    @Nullable String contender,
    @Nullable Spread ours,
    @Nullable String peer,
    @Nullable Spread bestPeer,
    @Nullable Spread ceiling,
    @Nullable Double ratioToBaseline) {

  /** Returns all comparisons of these results, ordered by database, contender and measure. */
  public static List<Comparison> of(Results results) {
    List<Comparison> comparisons = new ArrayList<>();
    for (String database : results.databases()) {
      for (Optional<Measured> ours : allOurs(results, database)) {
        for (Measure measure : Measure.values()) {
          if (!results.contenders(database, measure).isEmpty()) {
            comparisons.add(of(results, database, measure, ours));
          }
        }
      }
    }
    return comparisons;
  }

  /** Returns what is compared with the peers; one that is empty if only these were measured. */
  private static List<Optional<Measured>> allOurs(Results results, String database) {
    List<Optional<Measured>> ours =
        Arrays.stream(Measure.values())
            .flatMap(measure -> results.contenders(database, measure).stream())
            .filter(contender -> contender.role() == Role.OURS)
            .distinct()
            .sorted(Comparator.comparing(Measured::name))
            .map(Optional::of)
            .toList();
    return ours.isEmpty() ? List.of(Optional.empty()) : ours;
  }

  private static Comparison of(
      Results results, String database, Measure measure, Optional<Measured> contender) {
    Spread ours = spread(results, database, measure, contender);
    Measured peer = bestPeer(results, database, measure).orElse(null);
    return new Comparison(
        database,
        measure,
        contender.map(Measured::name).orElse(null),
        ours,
        peer == null ? null : peer.name(),
        peer == null ? null : results.spread(database, measure, peer).orElseThrow(),
        spread(results, database, measure, ceiling(results, database, measure)),
        measure.baseline() == null
            ? null
            : ratio(ours, spread(results, database, measure.baseline(), contender)));
  }

  private static Optional<Measured> ceiling(Results results, String database, Measure measure) {
    return results.contenders(database, measure).stream()
        .filter(contender -> contender.role() == Role.CEILING)
        .findFirst();
  }

  private static @Nullable Spread spread(
      Results results, String database, Measure measure, Optional<Measured> contender) {
    return contender.flatMap(one -> results.spread(database, measure, one)).orElse(null);
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
