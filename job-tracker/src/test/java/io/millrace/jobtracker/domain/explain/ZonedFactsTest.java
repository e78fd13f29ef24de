package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.explain.SampleFindings.NOW;
import static io.millrace.jobtracker.domain.explain.SampleFindings.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations that say instants by the clocks of a zone. */
class ZonedFactsTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final SampleFindings found = new SampleFindings();

  private List<String> facts(Locale language, ZoneId zone) {
    return SampleFindings.WRITER.write(found.read(), language, zone).stream()
        .map(Fact::text)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "Asia/Shanghai, 2026-03-02T09:30:00Z, 2026-03-02 17:30:00 +08:00",
    "Asia/Shanghai, 2026-03-02T16:00:00.040Z, 2026-03-03 00:00:00.040 +08:00",
    "Asia/Kathmandu, 2026-03-02T09:30:00Z, 2026-03-02 15:15:00 +05:45",
    "America/New_York, 2026-11-01T05:30:00Z, 2026-11-01 01:30:00 -04:00",
    "America/New_York, 2026-11-01T06:30:00Z, 2026-11-01 01:30:00 -05:00",
    "Europe/London, 2026-01-01T00:00:00Z, 2026-01-01 00:00:00 +00:00",
    "UTC, 2026-03-02T09:30:00Z, 2026-03-02 09:30:00 UTC",
    "Etc/UTC, 2026-03-02T09:30:00Z, 2026-03-02 09:30:00 UTC",
    "Asia/Shanghai, +1000000000-12-31T23:59:59.999999999Z, +1000000000-12-31T23:59:59.999999999Z",
    ", 2026-03-02T09:30:00.007Z, 2026-03-02T09:30:00.007Z"
  })
  void instantIsSaidByTheClocksOfTheZoneWithItsOffset(
      @Nullable ZoneId zone, Instant at, String said) {
    assertThat(FactPhrases.of(Locale.ENGLISH, zone).at(at)).isEqualTo(said);
  }

  @Test
  void everyInstantOfAOneShotIsInTheZone() {
    found.oneShotWaits(NOW - 3_000, 1).workers(2, 0).dueInGroup(1);

    assertThat(facts(Locale.ENGLISH, SHANGHAI))
        .satisfiesExactly(
            state -> assertThat(state).contains("accepted at 2026-03-02 17:58:00 +08:00 from"),
            due -> assertThat(due).contains("is due since 2026-03-02 17:59:57 +08:00 (3 s)"));
  }

  @Test
  void everyInstantOfAScheduleIsInTheZone() {
    Instant end = Instant.parse("2026-12-01T00:00:00Z");
    found.job(
        new Schedule.Cron("0 30 2 * * ?", BERLIN, Instant.parse("2026-01-01T00:00:00Z"), end),
        SampleFindings.spec(false, OverlapPolicy.skip()));

    List<String> facts = facts(Locale.CHINESE, SHANGHAI);

    assertThat(String.join("", facts)).doesNotContainPattern("\\dT\\d");
    assertThat(facts.get(1))
        .contains("自 2026-01-01 08:00:00 +08:00 起", "到 2026-12-01 08:00:00 +08:00 为止");
    assertThat(facts.get(2))
        .startsWith(
            "下次触发：2026-03-03 09:30:00 +08:00（15 小时 30 分钟后），"
                + "Europe/Berlin 当地时间 2026-03-03 02:30:00 +01:00。");
  }

  @Test
  void localTimeOfAFireIsSaidOnceInTheZoneOfTheSchedule() {
    found.job(
        new Schedule.Cron("0 30 2 29 3 ?", BERLIN),
        SampleFindings.spec(false, OverlapPolicy.skip()));

    assertThat(facts(Locale.ENGLISH, BERLIN).get(2))
        .startsWith(
            "Fires next at 2026-03-29 03:00:00 +02:00 (in 26 d 15 h): 02:30 does not exist: clocks"
                + " go from 02:00 to 03:00.");
  }

  @Test
  void howFarBackAnUnknownTaskWasSearchedIsInTheZone() {
    UnknownTask absence =
        new UnknownTask("orders", "a", true, List.of(), List.of(), 5_000, at("09:00:00"));

    assertThat(SampleFindings.WRITER.write(absence, Locale.ENGLISH, SHANGHAI).get(0).text())
        .contains("2026-03-02 17:00:00 +08:00");
  }
}
