package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A handler alone, without a tracker. */
class TestJobContextTest {
  private static final JobRunner CLOSE =
      context -> {
        if (context.isStopRequested()) {
          return Result.failed(context.isLost() ? "lost" : "stopped");
        }
        context.logger().info("closing {}", context.param("orderId"));
        return Result.success("closed at attempt " + context.attempt());
      };

  @Test
  void handlerIsCalledWithWhatItNeeds() throws Throwable {
    TestJobContext context =
        TestJobContext.builder("orders", "close:42")
            .param("orderId", "42")
            .attempt(2, 4)
            .executionId(7)
            .plannedFor(Instant.EPOCH)
            .dueAt(Instant.EPOCH.plusSeconds(5))
            .trace("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null)
            .build();

    Result result = CLOSE.run(context);

    assertThat(result).hasToString("SUCCESS: closed at attempt 2");
    assertThat(context.logged()).containsExactly("INFO closing 42");
    assertThat(context.nodeGroup()).isEqualTo("orders");
    assertThat(context.executionId()).isEqualTo(7);
    assertThat(context.maxAttempts()).isEqualTo(4);
    assertThat(context.plannedFor()).isEqualTo(Instant.EPOCH);
    assertThat(context.dueAt()).isEqualTo(Instant.EPOCH.plusSeconds(5));
    assertThat(context.traceParent()).startsWith("00-");
    assertThat(context).hasToString("attempt 2 of orders/close:42");
  }

  @Test
  void handlerIsAskedToStop() throws Throwable {
    TestJobContext context = TestJobContext.builder("orders", "close:42").build();
    context.requestStop();
    assertThat(CLOSE.run(context)).hasToString("FAILED: stopped");

    context.lose();
    assertThat(CLOSE.run(context)).hasToString("FAILED: lost");
  }

  @Test
  void throwablesAreLoggedBehindTheMessage() {
    TestJobContext context = TestJobContext.builder("orders", "a").build();

    context.logger().debug("tried");
    context.logger().warn("slow: {} ms", 12);
    context.logger().error("failed {}", "twice", new IllegalStateException("closed"));

    assertThat(context.logged())
        .containsExactly(
            "DEBUG tried",
            "WARN slow: 12 ms",
            "ERROR failed twice: java.lang.IllegalStateException: closed");
  }

  @Test
  void impossibleContextsAreRefused() {
    TestJobContext.Builder builder = TestJobContext.builder("orders", "a").param("k", "v");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.attempt(5, 4))
        .withMessage("attempt 5 of 4");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> builder.build().params().put("k", "w"));
  }
}
