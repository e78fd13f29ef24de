package io.millrace.tasktracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskTrackerBuilderTest {

  private static TaskTrackerBuilder complete() {
    return TaskTracker.builder()
        .trackers("127.0.0.1:35001")
        .nodeGroup("orders")
        .runner(context -> null);
  }

  @Test
  void everyWorkerHasAnIdOfItsOwn() {
    assertThat(complete().build().id()).isNotEqualTo(complete().build().id());
    assertThat(complete().id("worker-7").build().id()).isEqualTo("worker-7");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().trackers().build())
        .withMessageContaining("no tracker is given");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TaskTracker.builder().trackers("a:1").nodeGroup("orders").build())
        .withMessageContaining("runner");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TaskTracker.builder().trackers("a:1").runner(context -> null).build())
        .withMessageContaining("nodeGroup");
  }

  /** It could never be handed a job: no job can name such a group. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "my group", "my/group", "-orders", "größe"})
  void nodeGroupThatNoJobCanNameIsRefusedAtOnce(String group) {
    TaskTrackerBuilder builder = complete();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.nodeGroup(group))
        .withMessage(
            "node group '"
                + group
                + "' must have 1 to 64 letters, digits, dots, underscores and hyphens, and begin"
                + " with a letter or digit");
  }

  @Test
  void nodeGroupOfTheLongestNameIsTaken() {
    assertThat(complete().nodeGroup("g".repeat(64)).build()).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().nodeGroup("g".repeat(65)))
        .withMessageContaining("1 to 64");
  }

  @Test
  void whatIsOutOfBoundsIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().slots(0).build())
        .withMessageContaining("slots")
        .withMessageContaining("0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().pullInterval(Duration.ofMinutes(1)).build())
        .withMessageContaining("interval");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().shutdownGrace(Duration.ofSeconds(-1)).build())
        .withMessageContaining("grace");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().trackers("localhost").build())
        .withMessageContaining("localhost")
        .withMessageContaining("host:port");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().token("short"))
        .withMessageContaining("token");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().maxLogLines(0).build())
        .withMessageContaining("maxLines");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> complete().maxUnacknowledgedResults(0).build())
        .withMessageContaining("maxUnacknowledged");
  }

  @Test
  void handlerTakesOneRunner() {
    TaskTrackerBuilder builder = complete().handler("report", context -> null);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.handler("report", context -> null))
        .withMessageContaining("report");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.handler(" ", context -> null));
  }
}
