package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class NextCommandTest {
  private static final String NEW_YORK = "America/New_York";

  @Test
  void timeThatDoesNotExistFiresAtTheFirstInstantAfterTheGap() {
    CommandRun run = next("0 30 2 * * ?", NEW_YORK, "2025-03-08T12:00:00Z", 2, "en");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out().lines())
        .containsExactly(
            "2025-03-09T07:00:00Z  2025-03-09T03:00:00-04:00"
                + "  02:30 does not exist: clocks go from 02:00 to 03:00",
            "2025-03-10T06:30:00Z  2025-03-10T02:30:00-04:00");
    assertThat(run.error().lines()).containsExactly("at 02:30, every day");
  }

  @Test
  void everyHalfHourFiresFiftyTimesOnTheDayTheClocksGoBack() {
    CommandRun run = next("0 0/30 * * * ?", NEW_YORK, "2025-11-02T03:59:59Z", 51, "en");

    List<Instant> fires = instants(run);
    List<String> ofTheDay =
        run.out().lines().filter(line -> line.contains("  2025-11-02T")).toList();
    assertThat(ofTheDay).hasSize(50);
    assertThat(ofTheDay).filteredOn(line -> line.contains("first pass of an hour")).hasSize(2);
    assertThat(ofTheDay).filteredOn(line -> line.contains("second pass of an hour")).hasSize(2);
    assertThat(fires.get(0)).isEqualTo("2025-11-02T04:00:00Z");
    for (int i = 1; i < fires.size(); i++) {
      assertThat(Duration.between(fires.get(i - 1), fires.get(i))).hasMinutes(30);
    }
  }

  @Test
  void withoutOptionsTenFireTimesFromNowInUtcAreShown() {
    CommandRun run = CommandRun.of("next", "--cron", "0 0/5 * * * ?");

    List<Instant> fires = instants(run);
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(fires).hasSize(10).isSorted();
    assertThat(run.out().lines()).allMatch(line -> line.matches("(\\S+Z)  \\1"));
    assertThat(fires.get(0)).isAfter(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void wordsAreInTheLanguageAskedFor() {
    assertThat(next("@daily", "UTC", "2025-01-01T00:00:00Z", 1, "en").error().strip())
        .isEqualTo("at 00:00, every day");
    assertThat(next("@daily", "UTC", "2025-01-01T00:00:00Z", 1, "zh").error().strip())
        .isEqualTo("每天 00:00");
  }

  @Test
  void wordsAreOtherwiseInTheLanguageOfTheMachineIfItIsChinese() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.CHINA);
      assertThat(CommandRun.of("next", "--cron", "0 0 * * * ?").error().strip()).isEqualTo("每小时");
      Locale.setDefault(Locale.GERMANY);
      assertThat(CommandRun.of("next", "--cron", "0 0 * * * ?").error().strip())
          .isEqualTo("every hour");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void expressionThatEndsShowsWhatThereIsAndSaysSo() {
    CommandRun run = next("0 0 0 1 1 ? 2030-2031", "UTC", "2025-01-01T00:00:00Z", 5, "en");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(instants(run))
        .containsExactly(
            Instant.parse("2030-01-01T00:00:00Z"), Instant.parse("2031-01-01T00:00:00Z"));
    assertThat(run.error().lines()).hasSize(2).last().isEqualTo("no further fire times: 2 of 5");
  }

  @Test
  void expressionThatNeverFiresIsAFailure() {
    CommandRun run = next("0 0 0 30 2 ?", "UTC", "2025-01-01T00:00:00Z", 5, "en");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).isEmpty();
    assertThat(run.error().lines())
        .last()
        .isEqualTo("millrace next: no fire time after 2025-01-01T00:00:00Z");
  }

  private static CommandRun next(String cron, String zone, String from, int count, String words) {
    return CommandRun.of(
        "next",
        "--cron",
        cron,
        "--zone",
        zone,
        "--from",
        from,
        "--count",
        "" + count,
        "--language",
        words);
  }

  private static List<Instant> instants(CommandRun run) {
    return run.out().lines().map(line -> Instant.parse(line.split(" ")[0])).toList();
  }
}
