package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.job.FireList;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.io.IOException;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleRoutesTest {
  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static Answered preview(String json) throws IOException, InterruptedException {
    return console.ask("POST", "/api/v1/schedules/preview").json(json).send();
  }

  @Test
  void cronExpressionIsTold() throws Exception {
    FireList fires =
        preview("{\"cron\":\"0 30 2 ? 3 1L\",\"zone\":\"Europe/Berlin\",\"count\":2}")
            .as(FireList.class);

    assertThat(fires.words()).contains("02:30").contains("(Europe/Berlin)");
    assertThat(fires.items())
        .hasSize(2)
        .allSatisfy(
            fire -> {
              assertThat(fire.local()).endsWith("T03:00:00+02:00");
              assertThat(fire.note()).contains("02:30 does not exist");
            });
  }

  @Test
  void boundsAreByTheClocksOfTheSchedule() throws Exception {
    FireList fires =
        preview(
                "{\"cron\":\"0 30 2 * * ?\",\"zone\":\"Asia/Shanghai\",\"at\":\"2030-01-01T00:00:00Z\","
                    + "\"until\":\"2030-06-30T16:00:00Z\"}")
            .as(FireList.class);

    assertThat(fires.words())
        .endsWith(
            " (Asia/Shanghai), not before 2030-01-01 08:00:00 +08:00,"
                + " until 2030-07-01 00:00:00 +08:00");
  }

  @Test
  void wordsComeInChineseToo() throws Exception {
    assertThat(
            preview("{\"cron\":\"0 30 2 * * ?\",\"language\":\"zh\"}").as(FireList.class).words())
        .isEqualTo("每天 02:30（UTC）");
    FireList grid =
        preview(
                "{\"every\":\"PT90M\",\"at\":\"2030-01-01T00:00:00Z\",\"times\":2,"
                    + "\"until\":\"2031-01-01T00:00:00Z\",\"language\":\"zh\"}")
            .as(FireList.class);
    assertThat(grid.words())
        .isEqualTo("每 1 小时 30 分钟，首次为 2030-01-01 00:00:00 UTC，共 2 次，到 2031-01-01 00:00:00 UTC 为止");
  }

  @Test
  void otherSchedulesAreToldAsWell() throws Exception {
    FireList grid =
        preview("{\"every\":\"PT90M\",\"at\":\"2030-01-01T00:00:00Z\",\"times\":2}")
            .as(FireList.class);
    FireList delay = preview("{\"fixedDelay\":\"PT1H\"}").as(FireList.class);

    assertThat(grid.words())
        .isEqualTo("every 1h30m, first at 2030-01-01 00:00:00 UTC, 2 times in total");
    assertThat(grid.items())
        .extracting(fire -> fire.at().toString())
        .containsExactly("2030-01-01T00:00:00Z", "2030-01-01T01:30:00Z");
    assertThat(delay.items()).hasSize(1);
    assertThat(delay.note()).contains("when the previous run has ended");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"cron\":\"0 0 25 * * ?\"} | 422 | BAD_CRON: ",
        "{\"cron\":\"hello\"} | 422 | BAD_CRON: ",
        "{\"cron\":\"0 0 0 30 2 ?\"} | 422 | NEVER_FIRES: no fire time is after",
        "{\"cron\":\"@daily\",\"every\":\"PT1H\"} | 422 | the schedule allows only one of cron",
        "{\"every\":\"PT0S\"} | 422 | BAD_INTERVAL: ",
        "{\"cron\":\"@daily\",\"count\":201} | 422 | 1 to 200",
        "{\"cron\":\"@daily\",\"language\":\"fr\"} | 422 | en or zh",
        "{\"cron\":\"@daily\",\"zone\":\"Mars/Base\"} | 400 | zone is not a time zone: 'Mars/Base'",
        "{\"crom\":\"@daily\"} | 400 | has no field 'crom'"
      })
  void scheduleThatCannotBeIsRefusedWithTheReason(String json, int status, String why)
      throws Exception {
    Answered answered = preview(json);

    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    Problem problem = answered.as(Problem.class);
    assertThat(problem.code() == null ? problem.detail() : problem.code() + ": " + problem.detail())
        .contains(why);
    assertThat(problem.detail()).doesNotContainPattern("[A-Z]_[A-Z]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"utf-16", "no-such-charset", "\"\""})
  void bodyIsUtf8WithAnyCharsetInTheHeader(String charset) throws Exception {
    Answered answered =
        console
            .ask("POST", "/api/v1/schedules/preview")
            .body(
                "application/json; charset=" + charset,
                HttpRequest.BodyPublishers.ofString("{\"cron\":\"@daily\"}"))
            .send();

    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
  }

  @Test
  void lookingTakesTheRoleOfAViewerAndIsNoChangeOnRecord() throws Exception {
    Answered answered =
        console
            .request("POST", "/api/v1/schedules/preview")
            .token(console.token(Role.VIEW))
            .json("{\"cron\":\"@daily\"}")
            .send();

    assertThat(answered.status()).isEqualTo(200);
    assertThat(
            console
                .ask("GET", "/api/v1/audit?action=previewSchedule")
                .send()
                .as(AuditPage.class)
                .items())
        .isEmpty();
  }
}
