package io.millrace.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Benchmarks are seldom run, so that nobody would notice when one no longer runs: each does. */
class BenchmarksTest {

  @BeforeAll
  static void allowOtherRunsBesideThisOne() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void everyEngineStepsThroughItsFireTimes() throws RunnerException {
    Collection<RunResult> results =
        run(
            smallest(CronBenchmark.class)
                .param("expression", CronBenchmark.OFFICE_HOURS)
                .param("zone", "America/New_York"));

    assertThat(results).hasSize(3);
    assertThat(Summary.of(results).lines())
        .anyMatch(
            line -> line.matches("0 0/15 8-18 \\? \\* MON-FRI +America/New_York( +[0-9,.]+){3}"))
        .contains("Fire times per second: Millrace, spring, and the ratio of the two")
        .contains("Fire times per second: Millrace, cronUtils, and the ratio of the two")
        .anyMatch(line -> line.startsWith("geometric mean"));
  }

  @Test
  void jobsAreToppedUpShotAfterShot() throws RunnerException {
    Collection<RunResult> results =
        run(
            smallest(GenerationBenchmark.class)
                .measurementIterations(3)
                .param("jobs", "120")
                .param("distinct", "1", GenerationBenchmark.ALL)
                .param("database", "h2"));

    assertThat(results).hasSize(2);
    assertThat(Summary.of(results).lines())
        .filteredOn(line -> line.startsWith("120 jobs, distinct expressions: "))
        .hasSize(2)
        .allMatch(line -> line.matches(".*, h2: [0-9,]+ jobs/s, [0-9,]+ triggers/s"));
  }

  @Test
  void triggersAreLoadedDrawnAndSettled() throws RunnerException {
    assertThat(run(smallest(WaitingBenchmark.class))).hasSize(2);
  }

  @Test
  void trackerIsScrapedAndItsBacklogCounted() throws RunnerException {
    assertThat(run(smallest(ScrapeBenchmark.class).param("rows", "1200"))).hasSize(2);
  }

  @Test
  void everyMessageIsWrittenAndRead() throws RunnerException {
    assertThat(run(smallest(CodecBenchmark.class)))
        .hasSize(2 * CodecBenchmark.Message.values().length);
  }

  @Test
  void wheelHandsOverAndItsIdleCostIsCounted() throws RunnerException {
    Collection<RunResult> results = run(smallest(WheelBenchmark.class));

    assertThat(results).hasSize(3);
    assertThat(counters(results)).hasEntrySatisfying("cpuMicros", this::isPositive);
  }

  @Test
  void idleNodesAreLetInAndGoOnAsking() throws RunnerException {
    Collection<RunResult> results =
        run(
            smallest(IdleNodesBenchmark.class)
                .param("role", "WORKER")
                .param("nodes", "20")
                .param("lookOn", "1500"));

    assertThat(counters(results))
        .hasEntrySatisfying("cpuMillisPerSecond", this::isPositive)
        .hasEntrySatisfying("requestsPerSecond", this::isPositive)
        .containsKeys("threads", "heapBytesPerNode");
  }

  private static Map<String, Double> counters(Collection<RunResult> results) {
    Map<String, Double> counters = new TreeMap<>();
    results.forEach(
        result ->
            result
                .getSecondaryResults()
                .forEach((name, counter) -> counters.put(name, counter.getScore())));
    return counters;
  }

  private void isPositive(double value) {
    assertThat(value).isPositive();
  }

  @Test
  void asManyExpressionsDifferAsAreAskedFor() {
    List<String> texts = IntStream.range(0, 100_000).mapToObj(BenchmarkJobs::expression).toList();

    assertThat(texts).doesNotHaveDuplicates();
  }

  private static ChainedOptionsBuilder smallest(Class<?> benchmark) {
    return new OptionsBuilder()
        .include(benchmark.getName())
        .forks(0)
        .shouldFailOnError(true)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(5));
  }

  private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
    return new Runner(options.build()).run();
  }
}
