package io.millrace.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class JobTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2027-01-01T00:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void recurringSchedulesTakeStartAndEnd() {
    assertThat(schedule(job -> job.cron("@daily", ZoneOffset.UTC).at(START).until(END)))
        .isEqualTo(new Schedule.Cron("@daily", ZoneOffset.UTC, START, END));
    assertThat(schedule(job -> job.every(SECOND).times(3).at(START).until(END)))
        .isEqualTo(new Schedule.Repeat(SECOND, START, 3L, END));
    assertThat(schedule(job -> job.fixedDelay(SECOND).at(START).until(END)))
        .isEqualTo(new Schedule.FixedDelay(SECOND, START, null, END));
  }

  @Test
  void everyScheduleTellsItsBounds() {
    assertThat(schedule(job -> job.cron("@daily").at(START).until(END)))
        .extracting(Schedule::start, Schedule::end)
        .containsExactly(START, END);
    assertThat(schedule(job -> job.at(START)))
        .extracting(Schedule::start, Schedule::end)
        .containsExactly(null, null);
  }

  @Test
  void keyThatIsNullIsRefusedAtOnce() {
    assertThatThrownBy(() -> Job.builder("g", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("taskId is null");
    assertThatThrownBy(() -> Job.builder(null, "t"))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("nodeGroup is null");
  }

  @Test
  void contradictionsAreNamed() {
    assertContradiction(job -> job.until(END), "has until, which is not allowed for a one-shot");
    assertContradiction(job -> job.at(START).until(END), "has until, which is not allowed for");
    assertContradiction(
        job -> job.cron("@daily").times(3), "has times, which is allowed only with every or");
    assertContradiction(
        job -> job.cron("@daily").after(SECOND), "has after, which is allowed only for");
    assertContradiction(
        job -> job.cron("@daily").every(SECOND), "allows only one of cron, every and");
  }

  @Test
  void policiesAreUnsetUnlessAskedFor() {
    Job plain = Job.builder("g", "t").cron("@daily").build();
    Job set =
        Job.builder("g", "t")
            .cron("@daily")
            .overlap(OverlapPolicy.queue(3))
            .misfire(MisfirePolicy.all().within(SECOND).atMost(7).alsoAfterPause())
            .build();

    assertThat(plain.overlap()).isNull();
    assertThat(plain.misfire()).isNull();
    assertThat(set.overlap()).isEqualTo(new OverlapPolicy(OverlapPolicy.Kind.QUEUE, 3));
    assertThat(set.misfire()).isEqualTo(new MisfirePolicy(MisfirePolicy.Kind.ALL, SECOND, 7, true));
  }

  @Test
  void jobThatSaysNothingOfOverlapRunsOneAtATime() {
    Job.Builder daily = Job.builder("g", "t").cron("@daily");

    assertThat(daily.build().overlapOrDefault()).isEqualTo(OverlapPolicy.skip());
    assertThat(daily.misfire(MisfirePolicy.none()).build().overlapOrDefault())
        .isEqualTo(OverlapPolicy.skip());
    assertThat(daily.misfire(MisfirePolicy.all().atMost(7)).build().overlapOrDefault())
        .as("each of those that run after all is wanted")
        .isEqualTo(OverlapPolicy.queue(7));
    assertThat(daily.relyOnPrevCycle(true).build().overlapOrDefault())
        .isEqualTo(OverlapPolicy.CHAINED_DEFAULT);
    assertThat(daily.overlap(OverlapPolicy.allow()).build().overlapOrDefault())
        .isEqualTo(OverlapPolicy.allow());
  }

  @Test
  void broadcastIsOffUnlessAskedFor() {
    Job plain = Job.builder("g", "t").build();
    Job all = Job.builder("g", "t").broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build();

    assertThat(plain.broadcast()).isFalse();
    assertThat(plain.onWorkerLost()).isNull();
    assertThat(all.withTrace(null)).isEqualTo(all);
    assertThat(all.broadcast()).isTrue();
    assertThat(all.onWorkerLost()).isEqualTo(WorkerLossPolicy.DEAD);
  }

  @Test
  void overlapIsExclusiveUnlessTriggersRunBesideOneAnother() {
    assertThat(OverlapPolicy.allow().isExclusive()).isFalse();
    assertThat(OverlapPolicy.skip().isExclusive()).isTrue();
    assertThat(OverlapPolicy.queue(1).isExclusive()).isTrue();
  }

  private static Schedule schedule(UnaryOperator<Job.Builder> parts) {
    return parts.apply(Job.builder("g", "t")).build().schedule();
  }

  private static void assertContradiction(UnaryOperator<Job.Builder> parts, String what) {
    assertThatThrownBy(() -> schedule(parts))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("job g/t " + what);
  }
}
