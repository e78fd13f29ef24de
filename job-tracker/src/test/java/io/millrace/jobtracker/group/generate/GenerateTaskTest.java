package io.millrace.jobtracker.group.generate;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the task generates, and what a look costs that finds nothing to generate. */
class GenerateTaskTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final WakeUp again = new WakeUp();
  private final List<String> calls = new ArrayList<>();
  private GenerateTask task;

  @BeforeEach
  void makeTask() {
    HandDrivenTracker watched = new HandDrivenTracker(3, watching(stores), time);
    task = new GenerateTask(watched.generator(), time.timedExecutor(), again);
  }

  /** The stores, with a note of each call that concerns jobs. */
  private Stores watching(Stores real) {
    return real.with(
        JobStore.class,
        store ->
            (JobStore)
                Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(),
                    new Class<?>[] {JobStore.class},
                    (proxy, called, arguments) -> {
                      calls.add(called.getName());
                      try {
                        return called.invoke(store, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    }));
  }

  /** Makes a job need its next triggers then, as time does. */
  private void needsTriggersIn(Duration duration, String taskId) {
    byHand(
        "UPDATE jt_job SET generate_at = %d WHERE task_id = '%s'"
            .formatted(time.millis() + duration.toMillis(), taskId));
  }

  private boolean isGenerated(String taskId) {
    Long generateAt = definition(taskId).generateAt();
    return generateAt != null && generateAt > time.millis() + MINUTE.toMillis();
  }

  @Test
  void lookThatFindsNothingToGenerateIsOneRead() {
    assertThat(task.runOnce(time.millis())).isNull();
    tracker.submit(job("poll").every(MINUTE).build());
    assertThat(task.runOnce(time.millis())).isNull();

    assertThat(calls).containsExactly("nextGenerateAt", "nextGenerateAt");
  }

  @Test
  void everyLookGeneratesWhatNeedsTriggersByThen() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(MINUTE);
    assertThat(task.runOnce(time.millis())).isNull();
    needsTriggersIn(Duration.ZERO, "poll");

    assertThat(task.runOnce(time.millis()))
        .isInstanceOfSatisfying(
            TriggerGenerator.Generated.class, done -> assertThat(done.jobs()).isEqualTo(1));

    assertThat(isGenerated("poll")).isTrue();
    assertThat(task.runOnce(time.millis())).isNull();
  }

  /** Whether the look itself generates something or not. */
  @Test
  void jobThatNeedsTriggersBeforeTheNextLookIsGeneratedOnTime() {
    tracker.submit(
        job("now").every(MINUTE).build(),
        job("soon").every(MINUTE).build(),
        job("later").every(MINUTE).build());
    needsTriggersIn(Duration.ZERO, "now");
    needsTriggersIn(Duration.ofSeconds(2), "soon");
    needsTriggersIn(Duration.ofSeconds(4), "later");
    RepeatedTimer timer =
        new Timers(time.timedExecutor(), new Random(1))
            .timer("generate", Pace.exactly(Duration.ofHours(1)), again, task);
    timer.start();
    timer.wake();

    time.pass(Duration.ofMillis(1_999));
    assertThat(isGenerated("now")).isTrue();
    assertThat(isGenerated("soon")).isFalse();
    time.pass(Duration.ofMillis(1));
    assertThat(isGenerated("soon")).isTrue();
    timer.wake();
    time.pass(Duration.ofMillis(1_999));
    assertThat(isGenerated("later")).isFalse();
    time.pass(Duration.ofMillis(1));
    assertThat(isGenerated("later")).isTrue();
  }
}
