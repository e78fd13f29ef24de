package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.api.history.LogRoutes.LogPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in the zone that the operator chose, and fields that are read in it. */
@InBrowser
class ZonesTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
  private static final String IN_ZONE =
      """
      const [zone, done] = arguments;
      Promise.all(['zone', 'format'].map((name) => import(`${watch.base()}core/${name}.js`))).then(([z, m]) => {
        z.chooseZone('job');
        z.aboutZone(zone);
        done(String(%s));
      }, (failure) => done(String(failure)));
      """;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @AfterEach
  void goBackToTheZoneOfTheBrowser(Operator operator) {
    operator.set("shown-zone", "browser");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          America/New_York | m.fieldOf('2026-07-01T12:00:00Z')       | 2026-07-01T08:00:00
          America/New_York | m.fieldOf('2026-12-01T03:30:00Z', 16)   | 2026-11-30T22:30
          Asia/Shanghai    | m.instantOf('2026-11-29T06:00')         | 2026-11-28T22:00:00.000Z
          Asia/Kathmandu   | m.instantOf('2026-11-29T06:00:30')      | 2026-11-29T00:15:30.000Z
          America/New_York | m.instantOf('2026-11-01T01:30')         | 2026-11-01T05:30:00.000Z
          America/New_York | m.instantOf('2026-11-01T00:59:59')      | 2026-11-01T04:59:59.000Z
          America/New_York | m.instantOf('2026-11-01T02:00')         | 2026-11-01T07:00:00.000Z
          America/New_York | m.instantOf('2026-03-08T02:30')         | 2026-03-08T07:30:00.000Z
          America/New_York | m.instantOf('2026-03-08T03:00')         | 2026-03-08T07:00:00.000Z
          Australia/Lord_Howe | m.instantOf('2026-04-05T01:45')      | 2026-04-04T14:45:00.000Z
          America/New_York | m.timeOfDay('2026-07-01T12:00:00Z')     | 08:00
          No/Such_Zone     | m.timeOfDay('2026-07-01T12:00:00Z') === new Date('2026-07-01T12:00:00Z').toTimeString().slice(0, 5) | true
          """)
  void fieldsAndTimesAreByTheClocksOfTheZone(
      String zone, String expression, String expected, Operator operator) {
    assertThat(
            String.valueOf(
                operator
                    .browser()
                    .driver()
                    .executeAsyncScript(IN_ZONE.formatted(expression), zone)))
        .isEqualTo(expected);
  }

  @Test
  void pageOfAJobIsReadInTheZoneOfTheJobAndOthersInThatOfTheBrowser(
      Operator operator, ConsoleScene scene) {
    String browser =
        String.valueOf(operator.script("return Intl.DateTimeFormat().resolvedOptions().timeZone"));
    operator.open("/jobs/reports/new-york-close");
    operator.seesIn(".as-of", "times in " + browser);
    operator.set("shown-zone", "job");

    operator.seesIn(".as-of", "times in America/New_York");
    operator.seesIn(".facts", "02:30:00");
    operator.set("shown-zone", "utc");
    operator.seesIn(".as-of", "times in UTC");
    assertThat(String.join(" ", operator.texts(".facts"))).doesNotContain("02:30:00");
    operator.set("shown-zone", "job");
    operator.open("/jobs");
    operator.seesIn(".as-of", "times in " + browser);
  }

  @Test
  void explanationOfAJobIsInTheZoneThatIsShown(Operator operator, ConsoleScene scene) {
    operator.set("shown-zone", "job");
    operator.open("/jobs/reports/new-york-close");

    operator.seesIn(".explanation", " 02:30:00 -0");
    assertThat(String.join(" ", operator.texts(".explanation")))
        .doesNotContainPattern("\\dT\\d")
        .doesNotContain("in America/New_York");
    operator.set("shown-zone", "utc");
    operator.seesIn(".explanation", ":30:00 UTC");
    operator.seesIn(".explanation", " 02:30:00 -0");
    operator.seesIn(".explanation", "in America/New_York");
  }

  @Test
  void linesOfALogAreInTheZoneThatIsShownAndSayTheirDayUnlessItIsToday(
      Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("reports", "zoned-log").handler("render").build());
    String id = scene.endOf("reports", "zoned-log").id();
    await("the line of the runner")
        .until(() -> !scene.get("/executions/" + id + "/log", LogPage.class).items().isEmpty());
    Instant then = Instant.parse("2026-07-01T17:30:15.250Z");
    scene
        .console()
        .database()
        .stores()
        .jobLog()
        .append(List.of(new LogLine(Long.parseLong(id), 2, then, LogLevel.INFO, "half past")));
    operator.set("shown-zone", "utc");
    operator.open("/executions/" + id);

    operator.seesIn("#log time", "2026-07-01 17:30:15.250");
    operator.seesIn("#log .line", "done with {}");
    String first =
        String.valueOf(operator.script("return document.querySelector('#log time').title"));
    assertThat(operator.texts("#log time").get(0))
        .isEqualTo(CLOCK.format(Instant.parse(first).atOffset(ZoneOffset.UTC)));
    operator.set("shown-zone", "browser");
    operator.seesIn("#log time", "2026-07-02 01:30:15.250");
  }

  @Test
  void changesOfAJobAreReadInTheZoneOfItsSchedule(Operator operator, ConsoleScene scene)
      throws Exception {
    scene.as(
        scene.alice(),
        "POST",
        "/jobs",
        """
        {"nodeGroup":"orders","taskId":"zoned-changes",
         "schedule":{"cron":"0 0 5 1 1 ?","zone":"America/New_York"}}""");
    operator.set("shown-zone", "job");
    operator.open("/jobs/orders/zoned-changes/changes");

    operator.seesIn(".as-of", "times in America/New_York");
  }

  @Test
  void whatWasTypedGoesOnMeaningTheSameInstant(Operator operator, ConsoleScene scene) {
    Instant start = Instant.parse("2030-07-01T12:00:00Z");
    scene
        .client()
        .submit(Job.builder("orders", "zoned").cron("0 0 5 * * ?", NEW_YORK).at(start).build());
    operator.set("shown-zone", "utc");
    operator.open("/jobs/orders/zoned/edit");
    assertThat(operator.holds("Not before")).isEqualTo("2030-07-01T12:00");
    operator.script(
        """
        const field = document.getElementById('at');
        field.value = '2030-07-02T12:00:00';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        """);
    operator.set("shown-zone", "job");

    assertThat(operator.holds("Not before")).isEqualTo("2030-07-02T08:00");
    operator.click("Save");
    operator.isAsked("1 field changes");
    operator.click("Save the changes");
    operator.sees("orders/zoned is changed.");
    assertThat(scene.get("/jobs/orders/zoned", JobDetail.class).schedule().at())
        .isEqualTo("2030-07-02T12:00:00Z");
  }
}
