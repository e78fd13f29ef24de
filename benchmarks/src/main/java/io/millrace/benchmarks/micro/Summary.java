package io.millrace.benchmarks.micro;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * Summarizes results: fire times as ratios to the peers of the same run, because only ratios are
 * valid on other machines, and generation as rates.
 */
final class Summary {
  private static final String OURS = "millrace";
  private static final List<String> PEERS = List.of("spring", "cronUtils");
  private static final String CASE = "%-42s %,15.0f %,15.0f %7.1f";

  /** The fire times per second, by expression and zone, then by engine. */
  private final Map<String, Map<String, Double>> fireTimes = new TreeMap<>();

  private final List<String> generation = new ArrayList<>();

  private Summary() {}

  static Summary of(Collection<RunResult> results) {
    Summary summary = new Summary();
    results.forEach(summary::add);
    return summary;
  }

  private void add(RunResult result) {
    BenchmarkParams params = result.getParams();
    double score = result.getPrimaryResult().getScore();
    String benchmark = params.getBenchmark();
    if (benchmark.startsWith(CronBenchmark.class.getName())) {
      fireTimes
          .computeIfAbsent(
              "%-24s %s".formatted(params.getParam("expression"), params.getParam("zone")),
              unused -> new TreeMap<>())
          .put(benchmark.substring(benchmark.lastIndexOf('.') + 1), score);
    } else if (benchmark.startsWith(GenerationBenchmark.class.getName())) {
      generation.add(generationLine(params, score));
    }
  }

  private static String generationLine(BenchmarkParams params, double seconds) {
    double jobsPerSecond = Integer.parseInt(params.getParam("jobs")) / seconds;
    return line(
        "%s jobs, distinct expressions: %s, %s: %,.0f jobs/s, %,.0f triggers/s",
        params.getParam("jobs"),
        params.getParam("distinct"),
        params.getParam("database").replaceFirst("[?;].*", ""),
        jobsPerSecond,
        jobsPerSecond * BenchmarkJobs.FIRES_IN_TEN_MINUTES);
  }

  /** Returns one line for each case, and one for the mean of each peer. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    PEERS.forEach(peer -> addRatios(peer, lines));
    if (!generation.isEmpty()) {
      lines.add("");
      lines.add("Ten minutes topped up");
      lines.addAll(generation);
    }
    return lines;
  }

  private void addRatios(String peer, List<String> lines) {
    List<Double> ratios = new ArrayList<>();
    List<String> cases = new ArrayList<>();
    fireTimes.forEach(
        (name, rates) -> {
          Double ours = rates.get(OURS);
          Double theirs = rates.get(peer);
          if (ours != null && theirs != null) {
            ratios.add(ours / theirs);
            cases.add(line(CASE, name, ours, theirs, ours / theirs));
          }
        });
    if (!ratios.isEmpty()) {
      double logarithms = ratios.stream().mapToDouble(Math::log).average().orElse(0);
      lines.add("");
      lines.add("Fire times per second: Millrace, " + peer + ", and the ratio of the two");
      lines.addAll(cases);
      lines.add(line("%-74s %7.1f", "geometric mean", Math.exp(logarithms)));
    }
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
