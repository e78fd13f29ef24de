package io.millrace.benchmarks.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.millrace.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the results as a table for people. */
public final class TextReport {
  private static final double HUNDRED = 100;
  private static final double TEN = 10;
  private static final String NOTHING = "-";

  private TextReport() {}

  /**
   * Returns the lines of the report: medians with the minimum and maximum of the last rounds, and
   * ratios.
   */
  public static List<String> of(Results results, List<String> setting) {
    List<String> lines = new ArrayList<>(setting);
    List<Comparison> comparisons = Comparison.of(results);
    for (String database : results.databases()) {
      comparisons.stream()
          .filter(comparison -> comparison.database().equals(database))
          .collect(
              groupingBy(
                  comparison -> Objects.requireNonNullElse(comparison.contender(), "Millrace"),
                  LinkedHashMap::new,
                  toList()))
          .forEach((ours, measures) -> lines.addAll(table(database, ours, measures)));
      lines.add("");
      lines.add("all contenders, round by round");
      for (Measure measure : Measure.values()) {
        for (Measured contender : results.contenders(database, measure)) {
          lines.add(rounds(results, database, measure, contender));
        }
      }
    }
    if (!results.failures().isEmpty()) {
      lines.add("");
      results
          .failures()
          .forEach(
              failure ->
                  lines.add(
                      "FAILED on "
                          + failure.database()
                          + ": "
                          + failure.contender()
                          + ", "
                          + failure.what()
                          + ": "
                          + failure.reason()));
    }
    if (!results.notes().isEmpty()) {
      lines.add("");
      lines.addAll(results.notes());
    }
    return lines;
  }

  private static List<String> table(String database, String ours, List<Comparison> measures) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(row("on " + database, "", ours, "best peer", "ratio", "ceiling", "ratio", "own"));
    measures.stream().map(TextReport::line).forEach(lines::add);
    return lines;
  }

  private static String line(Comparison comparison) {
    return row(
        comparison.measure().word(),
        comparison.measure().unit(),
        text(comparison.ours()),
        comparison.peer() == null ? NOTHING : text(comparison.bestPeer()) + " " + comparison.peer(),
        ratio(comparison.ratioToBestPeer()),
        text(comparison.ceiling()),
        ratio(comparison.ratioToCeiling()),
        ratio(comparison.ratioToBaseline()));
  }

  private static String rounds(
      Results results, String database, Measure measure, Measured contender) {
    List<String> values =
        results.values(database, measure, contender).stream().map(TextReport::number).toList();
    return String.format(
            Locale.ROOT,
            "%-20s %-22s %s",
            measure.word(),
            contender.name(),
            String.join("  ", values))
        .stripTrailing();
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%-20s %-7s %-30s %-50s %7s %-30s %7s %7s", cells)
        .stripTrailing();
  }

  private static String text(@Nullable Spread spread) {
    if (spread == null) {
      return NOTHING;
    }
    return spread.rounds() == 1
        ? number(spread.median()) + " (one)"
        : number(spread.median())
            + " ("
            + number(spread.min())
            + " to "
            + number(spread.max())
            + ")";
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? NOTHING : String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String number(double value) {
    double size = Math.abs(value);
    String format = size >= HUNDRED ? "%,.0f" : size >= TEN ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
