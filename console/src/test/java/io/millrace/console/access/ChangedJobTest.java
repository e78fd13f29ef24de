package io.millrace.console.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangedJobTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          /api/v1/jobs/orders/tick,                    orders/tick
          /api/v1/jobs/orders/tick/pause,              orders/tick
          /api/v1/jobs/orders/a%2Fb+c%20%E4%BB%BB/run, orders/a/b+c 任
          /api/v1/jobs/orders/o%27brien,               orders/o'brien
          /api/v1/jobs/orders/o'brien,                 orders/o'brien
          """,
      quoteCharacter = '"')
  void pathNamesTheJob(String path, String job) {
    assertThat(ChangedJob.of(path, "{\"nodeGroup\":\"other\",\"taskId\":\"job\"}")).isEqualTo(job);
  }

  @Test
  void bodyNamesTheJobThatIsSubmitted() {
    String body = "{\"taskId\":\"a/b\",\"nodeGroup\":\"orders\",\"schedule\":{\"every\":\"PT5S\"}}";

    assertThat(ChangedJob.of("/api/v1/jobs", body)).isEqualTo("orders/a/b");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/jobs, ",
    "/api/v1/jobs, {}",
    "/api/v1/jobs, nonsense",
    "/api/v1/jobs/orders, ",
    "/api/v1/jobs/orders/100%, ",
    "/api/v1/jobsx/orders/tick, ",
    "/api/v1/dead/17/replay, {}"
  })
  void otherRequestsAreAboutNoJob(String path, String body) {
    assertThat(ChangedJob.of(path, body)).isNull();
  }
}
