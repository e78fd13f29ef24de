package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobLogTest {

  private static HandDrivenWorker workerWhoseJobs(JobRunner runner) {
    return HandDrivenWorker.with(runner).slots(8).connect();
  }

  private static JobRunner writing(int lines) {
    return context -> {
      for (int i = 1; i <= lines; i++) {
        context.logger().info("line {} of {}", i, context.executionId());
      }
      return Result.success();
    };
  }

  @Test
  void linesArriveNumberedFromOneWithTheirLevels() {
    HandDrivenWorker worker =
        workerWhoseJobs(
            context -> {
              context.logger().debug("a");
              context.logger().info("b {}", 1);
              context.logger().warn("c {} {}", 2, 3);
              context.logger().error("d", new IllegalStateException("why"));
              return null;
            });
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    List<LogLine> lines = worker.tracker.linesOf(11);
    assertThat(lines).extracting(LogLine::sequence).containsExactly(1, 2, 3, 4);
    assertThat(lines)
        .extracting(LogLine::level)
        .containsExactly(LogLevel.DEBUG, LogLevel.INFO, LogLevel.WARN, LogLevel.ERROR);
    assertThat(lines).extracting(LogLine::text).startsWith("a", "b 1", "c 2 3");
    assertThat(lines.get(3).text())
        .startsWith("d\njava.lang.IllegalStateException: why")
        .contains("\tat ");
  }

  @Test
  void linesOfAnExecutionLeaveBeforeItsResult() {
    HandDrivenWorker worker = workerWhoseJobs(writing(3));
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    List<Object> order = new ArrayList<>();
    worker.tracker.requests.forEach(request -> order.add(request.getClass()));
    assertThat(order.indexOf(LogRequest.class)).isLessThan(order.indexOf(CompleteRequest.class));
  }

  @Test
  void linesOfALongJobArriveWhileItRuns() {
    List<JobLogger> loggers = new ArrayList<>();
    HandDrivenWorker worker =
        workerWhoseJobs(
            context -> {
              loggers.add(context.logger());
              return null;
            });
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    loggers.get(0).info("half way");
    assertThat(worker.tracker.lines).isEmpty();
    worker.advance(Duration.ofMillis(100));

    assertThat(worker.tracker.lines).extracting(LogLine::text).containsExactly("half way");
  }

  @Test
  void linesOfDifferentJobsNeverMix() {
    HandDrivenWorker worker = workerWhoseJobs(writing(20));
    worker.tracker.assign(executions(11, 4));
    worker.runInvocations();
    worker.advance(Duration.ofSeconds(1));

    for (long id = 11; id < 15; id++) {
      long executionId = id;
      assertThat(worker.tracker.linesOf(id))
          .extracting(LogLine::text)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, 20)
                  .mapToObj(i -> "line " + i + " of " + executionId)
                  .toList());
    }
  }

  @Test
  void oneBatchIsUnderWayAtATimeAndOrderIsKept() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(writing(1_000)).slots(4).logBounds(10_000, 1 << 24).connect();
    worker.tracker.answersLogs = false;
    worker.tracker.assign(executions(11, 3));
    worker.runInvocations();
    worker.advance(Duration.ofSeconds(1));
    assertThat(worker.tracker.logs).hasSize(1);

    worker.tracker.acceptLogs();

    for (long id = 11; id < 14; id++) {
      assertThat(worker.tracker.linesOf(id))
          .extracting(LogLine::sequence)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 1_000).boxed().toList());
    }
    assertThat(worker.tracker.logs)
        .allMatch(call -> call.request().lines().size() <= LogRequest.MAX_LINES);
  }

  @Test
  void floodDropsLinesSaysHowManyAndLetsTheJobGoOn() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(writing(500)).slots(4).logBounds(50, 1 << 20).connect();
    worker.tracker.answersLogs = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertThat(worker.results()).hasSize(1);
    worker.tracker.acceptLogs();

    List<LogLine> lines = worker.tracker.linesOf(11);
    assertThat(lines).hasSize(51);
    assertThat(lines.get(49).text()).isEqualTo("line 50 of 11");
    assertThat(lines.get(50).level()).isEqualTo(LogLevel.WARN);
    assertThat(lines.get(50).text()).startsWith("450 lines were dropped");
    assertThat(lines.get(50).sequence()).isEqualTo(501);
  }

  @Test
  void linesAreBoundedInMemoryToo() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  for (int i = 0; i < 100; i++) {
                    context.logger().info("x".repeat(7_000));
                  }
                  return null;
                })
            .logBounds(1_000, 100_000)
            .connect();
    worker.tracker.answersLogs = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();
    worker.tracker.acceptLogs();

    assertThat(worker.tracker.linesOf(11)).extracting(LogLine::sequence).hasSizeBetween(5, 9);
  }

  @Test
  void longLineIsCut() {
    HandDrivenWorker worker =
        workerWhoseJobs(
            context -> {
              context.logger().info("x".repeat(100_000));
              return null;
            });
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertThat(worker.tracker.linesOf(11).get(0).text()).hasSize(LogLine.MAX_TEXT_CHARS);
  }

  @Test
  void argumentThatCannotPrintItselfDoesNotFailTheJob() {
    HandDrivenWorker worker =
        workerWhoseJobs(
            context -> {
              context
                  .logger()
                  .info(
                      "it is {}",
                      new Object() {
                        @Override
                        public String toString() {
                          throw new IllegalStateException("no text for you");
                        }
                      });
              context.logger().info(null);
              return Result.success();
            });
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertThat(worker.resultOf(11).outcome().name()).isEqualTo("SUCCESS");
    assertThat(worker.tracker.linesOf(11)).hasSize(2);
  }

  @Test
  void linesSurviveALostConnectionAndAreNotStoredTwiceOutOfOrder() {
    HandDrivenWorker worker = workerWhoseJobs(writing(5));
    worker.tracker.answersLogs = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();
    worker.tracker.disconnect();
    worker.tracker.answersLogs = true;
    worker.tracker.connect();

    assertThat(worker.tracker.linesOf(11))
        .extracting(LogLine::sequence)
        .containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void failingLogStoreHoldsUpNeitherPullsNorResults() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(writing(100)).slots(2).logBounds(10, 1 << 20).connect();
    worker.tracker.answersLogs = false;
    for (long id = 11; id < 61; id++) {
      worker.tracker.assign(execution(id));
      worker.runInvocations();
      failLogs(worker);
      worker.advance(Duration.ofMillis(50));
    }

    assertThat(worker.results()).hasSize(50);
  }

  private static void failLogs(HandDrivenWorker worker) {
    worker.tracker.logs.forEach(
        call ->
            call.answer()
                .completeExceptionally(new RpcException(ErrorCode.UNAVAILABLE, "log store down")));
  }
}
