package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.api.Disposition;
import io.millrace.api.KeepException;
import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueType;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Result;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  record Charge(String id, int cents) {}

  @Test
  void stepsAreKeptForTheNextAttemptAndTheReplay() throws Exception {
    AtomicInteger bodies = new AtomicInteger();
    TestJobContext first =
        TestJobContext.builder("orders", "a").param("k", "v").attempt(1, 2).build();
    Charge charged =
        first.step("charge", Charge.class, () -> new Charge("c", bodies.incrementAndGet()));
    first.step("mail", () -> bodies.incrementAndGet());
    first.checkpoint(List.of(1, 2));

    TestJobContext second = first.nextAttempt();
    TestJobContext replay = second.nextAttempt();
    for (TestJobContext later : List.of(second, replay)) {
      assertThat(later.step("charge", Charge.class, () -> new Charge("d", 0))).isEqualTo(charged);
      later.step("mail", () -> bodies.incrementAndGet());
      assertThat(later.checkpoint(new ValueType<List<Integer>>() {})).contains(List.of(1, 2));
      assertThat(later.stepKey("charge")).isEqualTo(first.stepKey("charge"));
      assertThat(later.param("k")).isEqualTo("v");
      assertThat(later.stepsRun()).isEmpty();
    }
    assertThat(bodies).hasValue(2);
    assertThat(first.stepsRun()).containsExactly("charge", "mail");
    assertThat(second).hasToString("attempt 2 of orders/a");
    assertThat(replay).hasToString("attempt 1 of orders/a");
    assertThat(replay.executionId()).isEqualTo(3);
  }

  @Test
  void stepsHaveTheRulesOfAWorker() throws Exception {
    TestJobContext context = TestJobContext.builder("orders", "a").build();
    context.step("charge", Integer.class, () -> 1);

    assertNotRetryable(() -> context.step("charge", Integer.class, () -> 2), "twice");
    assertNotRetryable(() -> context.step("#a", Integer.class, () -> 2), "begin with #");
    assertNotRetryable(
        () -> context.step("bean", StringBuilder.class, StringBuilder::new), "no JSON form");
    assertNotRetryable(() -> context.checkpoint("x".repeat(70_000)), "at most 65536");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                context.step(
                    "throws",
                    () -> {
                      throw new IllegalStateException("declined");
                    }));

    TestJobContext next = context.nextAttempt();
    assertNotRetryable(() -> next.step("charge", Charge.class, () -> new Charge("c", 1)), "fit");
    assertNotRetryable(() -> next.step("bean", Integer.class, () -> 1), "earlier attempt");
    next.step("throws", () -> {});
    assertThat(next.checkpoint(Integer.class)).isEmpty();
    assertThat(next.stepsRun()).containsExactly("throws");
  }

  private static void assertNotRetryable(ThrowingCallable call, String part) {
    assertThatExceptionOfType(NotRetryableException.class)
        .isThrownBy(call)
        .withMessageContaining("of orders/a")
        .withMessageContaining(part);
  }

  @Test
  void lostAttemptKeepsNothing() {
    TestJobContext context = TestJobContext.builder("orders", "a").build();

    assertThatExceptionOfType(KeepException.class)
        .isThrownBy(() -> context.step("charge", context::lose));
    assertThatExceptionOfType(KeepException.class).isThrownBy(() -> context.checkpoint(1));
    assertThat(context.stepsRun()).isEmpty();
  }

  @Test
  void partsAreRecordedByTheRulesOfAWorker() {
    TestJobContext context = TestJobContext.builder("orders", "a").build();

    context.map(List.of(Map.of("id", 1, "name", "n")));
    context.map("close", List.of(Map.of("id", 2L)));

    assertThat(context.mapped())
        .containsExactly(
            new MappedPart(null, Map.of("id", "1", "name", "n")),
            new MappedPart("close", Map.of("id", "2")));
    assertNotRetryable(() -> context.map(List.of(Map.of("b", new StringBuilder()))), "part 3");
    context.lose();
    assertThatExceptionOfType(KeepException.class).isThrownBy(() -> context.map(List.of()));
  }

  @Test
  void reduceReadsThePartsOfTheTest() {
    TestJobContext reduce =
        TestJobContext.builder("orders", "a")
            .parts(
                PartResult.of(1, Disposition.SUCCEEDED, 5, Map.of("id", "1")),
                PartResult.of(2, Disposition.DEAD, null, Map.of("id", "2")))
            .build();

    assertThat(reduce.parts())
        .extracting(part -> part.result(Integer.class).orElse(0))
        .containsExactly(5, 0);
    assertThat(reduce.parts()).extracting(PartResult::isSuccess).containsExactly(true, false);
    assertThat(TestJobContext.builder("orders", "a").part(3).build().part()).isEqualTo(3);
    assertThatIllegalStateException()
        .isThrownBy(() -> TestJobContext.builder("orders", "a").build().parts());
  }

  @Test
  void progressIsRecorded() {
    TestJobContext context = TestJobContext.builder("orders", "a").build();

    context.progress(40);
    context.progress(3, 12, "of the files");
    context.progress(7, 0, null);

    assertThat(context.progressMade()).containsExactly("40/100", "3/12 of the files", "7");
  }
}
