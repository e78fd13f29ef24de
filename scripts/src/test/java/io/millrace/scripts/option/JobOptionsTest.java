package io.millrace.scripts.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.Job;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class JobOptionsTest {

  @Test
  void optionsBecomeTheJobTheyName() {
    Job job =
        job(
            "--param",
            "a=1",
            "--param",
            "b=x=y",
            "--param",
            "empty=",
            "--priority",
            "7",
            "--handler",
            "echo",
            "--retry",
            "0",
            "--replace",
            "--feedback");

    Job expected =
        Job.builder("g", "t")
            .param("a", "1")
            .param("b", "x=y")
            .param("empty", "")
            .priority(7)
            .handler("echo")
            .retry(RetryPolicy.NONE)
            .replaceExisting(true)
            .feedback(true)
            .build();
    assertThat(job).isEqualTo(expected);
  }

  @Test
  void withoutOptionsTheJobHasTheDefaultsOfTheBuilder() {
    assertThat(job()).isEqualTo(Job.builder("g", "t").build());
  }

  @Test
  void schedulesBecomeTheScheduleTheyName() {
    Instant instant = Instant.parse("2030-01-31T08:00:00Z");
    Duration second = Duration.ofSeconds(1);

    assertThat(schedule()).isEqualTo(new Schedule.Once(null, null));
    assertThat(schedule("--at", "2030-01-31T16:00:00+08:00"))
        .isEqualTo(new Schedule.Once(instant, null));
    assertThat(schedule("--after", "1s")).isEqualTo(new Schedule.Once(null, second));
    assertThat(schedule("--cron", "0 0 3 * * ?")).isEqualTo(new Schedule.Cron("0 0 3 * * ?", null));
    assertThat(schedule("--cron", "@daily", "--zone", "Asia/Shanghai"))
        .isEqualTo(new Schedule.Cron("@daily", ZoneId.of("Asia/Shanghai")));
    assertThat(schedule("--every", "1s", "--times", "3", "--at", "2030-01-31T08:00:00Z"))
        .isEqualTo(new Schedule.Repeat(second, instant, 3L));
    assertThat(schedule("--fixed-delay", "1s"))
        .isEqualTo(new Schedule.FixedDelay(second, null, null));
  }

  @Test
  void relyOnPrevCycleReachesTheJob() {
    assertThat(job("--every", "1s", "--rely-on-prev-cycle").relyOnPrevCycle()).isTrue();
  }

  private static Schedule schedule(String... arguments) {
    return job(arguments).schedule();
  }

  private static Job job(String... arguments) {
    JobOptions options = new JobOptions();
    ScheduleOptions schedule = new ScheduleOptions();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("options", options).addMixin("schedule", schedule).parseArgs(arguments);
    Job.Builder builder = Job.builder("g", "t");
    schedule.applyTo(builder);
    options.applyTo(builder);
    return builder.build();
  }
}
