package io.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.report.Results.Measured;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Measured OURS = new Measured("Millrace", Role.OURS);
  private static final Measured SLOW = new Measured("tortoise", Role.PEER);
  private static final Measured FAST = new Measured("hare", Role.PEER);
  private static final Measured CEILING = new Measured("bare pipeline", Role.CEILING);

  private final Results results = new Results();

  @Test
  void whereMoreIsBetterTheBestPeerIsTheOneWithTheGreatestMedian() {
    add(Measure.DRAIN, OURS, 5_000, 7_000, 6_000);
    add(Measure.DRAIN, SLOW, 9_000, 100, 100);
    add(Measure.DRAIN, FAST, 2_000, 1_000, 3_000);
    add(Measure.DRAIN, CEILING, 8_000);

    Comparison drain = only();

    assertThat(drain.peer()).isEqualTo("hare");
    assertThat(drain.ratioToBestPeer()).isEqualTo(3.0);
    assertThat(drain.ratioToCeiling()).isEqualTo(0.75);
    assertThat(drain.ratioToBaseline()).isNull();
  }

  @Test
  void whereLessIsBetterTheBestPeerIsTheOneWithTheLeastMedian() {
    add(Measure.LATENESS_P99, OURS, 5);
    add(Measure.LATENESS_P99, SLOW, 100);
    add(Measure.LATENESS_P99, FAST, 20);

    Comparison lateness = only();

    assertThat(lateness.peer()).isEqualTo("hare");
    assertThat(lateness.ratioToBestPeer()).isEqualTo(0.25);
    assertThat(lateness.ratioToCeiling()).isNull();
  }

  @Test
  void onlyTheLastThreeRoundsCountAndAreWarmWhenTheyAreAlike() {
    add(Measure.DRAIN, OURS, 1_000, 5_900, 6_000);
    assertThat(results.isSettled("h2", Measure.DRAIN, OURS)).isFalse();

    add(Measure.DRAIN, OURS, 6_400);

    assertThat(results.isSettled("h2", Measure.DRAIN, OURS)).isTrue();
    assertThat(only().ours()).isEqualTo(new Spread(6_000, 5_900, 6_400, 3));
    JSONObject rounds =
        JSON.parseObject(JsonReport.of(results, List.of()))
            .getJSONArray("contenders")
            .getJSONObject(0);
    assertThat(rounds.getBooleanValue("settled")).isTrue();
    assertThat(rounds.getList("rounds", Double.class)).hasSize(4);
  }

  @Test
  void twoRoundsAloneAreNotWarm() {
    add(Measure.DRAIN, OURS, 6_000, 6_000);

    assertThat(results.isSettled("h2", Measure.DRAIN, OURS)).isFalse();
  }

  @Test
  void eachOfOursIsComparedWithTheBestPeer() {
    add(Measure.DRAIN, new Measured("Millrace in one process", Role.OURS), 8_000);
    add(Measure.DRAIN, FAST, 2_000);
    add(Measure.DRAIN, OURS, 6_000);

    assertThat(Comparison.of(results))
        .extracting(Comparison::contender, Comparison::ratioToBestPeer)
        .containsExactly(tuple("Millrace", 3.0), tuple("Millrace in one process", 4.0));
    assertThat(TextReport.of(results, List.of()))
        .anyMatch(line -> line.matches("on h2 +Millrace +best peer .*"))
        .anyMatch(line -> line.matches("on h2 +Millrace in one process +best peer .*"));
  }

  @Test
  void whatHasABaselineIsComparedWithOurOwn() {
    add(Measure.DRAIN_BESIDE_0, OURS, 1_000);
    add(Measure.DRAIN_BESIDE_1M, OURS, 900);

    assertThat(Comparison.of(results))
        .last()
        .extracting(Comparison::ratioToBaseline)
        .isEqualTo(0.9);
  }

  @Test
  void whoHasNoValueHasNoRatio() {
    add(Measure.DRAIN, FAST, 2_000);

    assertThat(only().ours()).isNull();
    assertThat(only().ratioToBestPeer()).isNull();
  }

  @Test
  void theJsonSaysWhatTheComparisonCameTo() {
    add(Measure.DRAIN, OURS, 6_000);
    add(Measure.DRAIN, FAST, 1_800, 2_200);
    add(Measure.DRAIN, CEILING, 9_000);
    results.failed("h2", "drain 1", SLOW, "fell asleep");

    JSONObject report = JSON.parseObject(JsonReport.of(results, List.of("a setting")));

    JSONObject drain = report.getJSONArray("measures").getJSONObject(0);
    assertThat(drain.getString("measure")).isEqualTo("drain");
    assertThat(drain.getString("db")).isEqualTo("h2");
    assertThat(drain.getString("peer")).isEqualTo("hare");
    assertThat(drain.getDoubleValue("ours")).isEqualTo(6_000);
    assertThat(drain.getDoubleValue("best_peer")).isEqualTo(2_000);
    assertThat(drain.getDoubleValue("ceiling")).isEqualTo(9_000);
    assertThat(drain.getDoubleValue("ratio_to_best_peer")).isEqualTo(3);
    assertThat(drain.getDoubleValue("ratio_to_ceiling")).isCloseTo(0.667, within(1e-9));
    assertThat(report.getJSONArray("contenders").getJSONObject(1).getList("rounds", Double.class))
        .containsExactly(1_800.0, 2_200.0);
    assertThat(report.getJSONArray("failures").getJSONObject(0).getString("reason"))
        .isEqualTo("fell asleep");
    assertThat(report.getList("setting", String.class)).containsExactly("a setting");
  }

  @Test
  void whatIsMissingIsNullInTheJsonAndADashInTheTable() {
    add(Measure.STEADY, OURS, 1_234);

    JSONObject steady =
        JSON.parseObject(JsonReport.of(results, List.of()))
            .getJSONArray("measures")
            .getJSONObject(0);
    assertThat(steady).containsEntry("best_peer", null).containsEntry("ratio_to_ceiling", null);
    assertThat(TextReport.of(results, List.of()))
        .anyMatch(line -> line.matches("steady +jobs/s +1,234 \\(one\\) +- +- +- +- +-"));
  }

  @Test
  void theTableShowsMediansTheirSpreadAndFailures() {
    add(Measure.DRAIN, OURS, 5_000, 7_000, 6_000);
    add(Measure.DRAIN, FAST, 1_500);
    results.failed("h2", "drain 1", SLOW, "fell asleep");

    List<String> lines = TextReport.of(results, List.of("a setting"));

    assertThat(lines)
        .contains("a setting", "FAILED on h2: tortoise, drain 1: fell asleep")
        .anyMatch(
            line ->
                line.matches(
                    "drain +jobs/s +6,000 \\(5,000 to 7,000\\) +1,500 \\(one\\) hare +4\\.00 +- +-"
                        + " +-"))
        .anyMatch(line -> line.matches("drain +Millrace +5,000 +7,000 +6,000"));
  }

  private void add(Measure measure, Measured contender, double... values) {
    for (double value : values) {
      results.add("h2", measure, contender, value);
    }
  }

  private Comparison only() {
    assertThat(Comparison.of(results)).hasSize(1);
    return Comparison.of(results).get(0);
  }
}
