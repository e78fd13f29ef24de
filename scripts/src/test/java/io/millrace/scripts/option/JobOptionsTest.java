package io.millrace.scripts.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.TraceContext;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.scripts.option.convert.Converters;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

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
            "--timeout",
            "90s",
            "--shards",
            "8",
            "--reduce",
            "sum",
            "--on-part-failure",
            "IGNORE",
            "--within",
            "2h",
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
            .timeout(Duration.ofSeconds(90))
            .shards(8)
            .reduce("sum")
            .onPartFailure(PartFailurePolicy.IGNORE)
            .within(Duration.ofHours(2))
            .replaceExisting(true)
            .feedback(true)
            .build();
    assertThat(job).isEqualTo(expected);
  }

  @Test
  void broadcastIsForEachWorkerAndSaysWhatItsLossMeans() {
    assertThat(job("--broadcast")).isEqualTo(Job.builder("g", "t").broadcast().build());
    assertThat(job("--broadcast", "--on-worker-lost", "DEAD"))
        .isEqualTo(Job.builder("g", "t").broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build());
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
  void recurringSchedulesTakeBounds() {
    Instant start = Instant.parse("2030-01-31T08:00:00Z");
    Instant end = Instant.parse("2031-01-31T08:00:00Z");
    Duration second = Duration.ofSeconds(1);
    String[] bounds = {"--at", "2030-01-31T08:00:00Z", "--until", "2031-01-31T08:00:00Z"};

    assertThat(schedule(with(bounds, "--cron", "@daily")))
        .isEqualTo(new Schedule.Cron("@daily", null, start, end));
    assertThat(schedule(with(bounds, "--every", "1s")))
        .isEqualTo(new Schedule.Repeat(second, start, null, end));
    assertThat(schedule(with(bounds, "--fixed-delay", "1s")))
        .isEqualTo(new Schedule.FixedDelay(second, start, null, end));
  }

  @Test
  void policiesBecomeWhatTheyName() {
    assertThat(overlap("allow")).isEqualTo(OverlapPolicy.allow());
    assertThat(overlap("Skip")).isEqualTo(OverlapPolicy.skip());
    assertThat(overlap("queue:3")).isEqualTo(OverlapPolicy.queue(3));
    assertThat(misfire("none")).isEqualTo(MisfirePolicy.none());
    assertThat(misfire("latest")).isEqualTo(MisfirePolicy.latest());
    assertThat(misfire("latest,after-pause")).isEqualTo(MisfirePolicy.latest().alsoAfterPause());
    assertThat(misfire("all")).isEqualTo(MisfirePolicy.all());
    assertThat(misfire("ALL, window=10m ,cap=5,after-pause"))
        .isEqualTo(MisfirePolicy.all().within(Duration.ofMinutes(10)).atMost(5).alsoAfterPause());
  }

  private static OverlapPolicy overlap(String text) {
    return job("--every", "1s", "--overlap", text).overlap();
  }

  private static MisfirePolicy misfire(String text) {
    return job("--every", "1s", "--misfire", text).misfire();
  }

  private static String[] with(String[] some, String... more) {
    return Stream.of(some, more).flatMap(Stream::of).toArray(String[]::new);
  }

  @Test
  void relyOnPrevCycleReachesTheJob() {
    assertThat(job("--every", "1s", "--rely-on-prev-cycle").relyOnPrevCycle()).isTrue();
  }

  @Test
  void traceParentReachesTheJob() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    assertThat(job("--trace-parent", trace).trace()).isEqualTo(new TraceContext(trace, null));
    assertThat(job().trace()).isNull();
  }

  @Test
  void labelsAndKeyReachTheJob() {
    assertThat(job("--on", "gpu", "--on", "eu").requires()).containsExactly("eu", "gpu");
    assertThat(job("--stick-to", "customer-7").stickTo()).isEqualTo("customer-7");
    assertThat(job().requires()).isEmpty();
    assertThat(job().stickTo()).isNull();
  }

  private static Schedule schedule(String... arguments) {
    return job(arguments).schedule();
  }

  private static Job job(String... arguments) {
    JobOptions options = new JobOptions();
    PolicyOptions policies = new PolicyOptions();
    ScheduleOptions schedule = new ScheduleOptions();
    CommandLine line = Converters.registerAt(new CommandLine(CommandSpec.create()));
    line.addMixin("options", options)
        .addMixin("policies", policies)
        .addMixin("schedule", schedule)
        .parseArgs(arguments);
    Job.Builder builder = Job.builder("g", "t");
    schedule.applyTo(builder);
    policies.applyTo(builder, schedule.isRecurring());
    options.applyTo(builder);
    return builder.build();
  }
}
