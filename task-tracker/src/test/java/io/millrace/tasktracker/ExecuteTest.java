package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.START;
import static io.millrace.tasktracker.HandDrivenWorker.connected;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Outcome;
import io.millrace.api.TraceContext;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ExecuteTest {

  /** Runs one execution with this invocation and returns its result. */
  private static ExecutionResult run(JobRunner runner) {
    HandDrivenWorker worker = HandDrivenWorker.with(runner).connect();
    worker.tracker.assign(execution(11));
    worker.runInvocations();
    return worker.resultOf(11);
  }

  @Test
  void successIsReportedWithItsTimes() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success("42 orders closed")).connect();
    worker.tracker.assign(execution(11));
    worker.advance(Duration.ofMillis(300));
    worker.runInvocations();

    assertThat(worker.resultOf(11))
        .isEqualTo(
            new ExecutionResult(
                11,
                Outcome.SUCCESS,
                "42 orders closed",
                null,
                List.of(),
                START.plusMillis(300),
                START.plusMillis(300)));
  }

  @Test
  void nullMeansSuccess() {
    assertThat(run(context -> null).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void failedAndLaterAreReportedAsTheInvocationSaysThem() {
    ExecutionResult failed = run(context -> Result.failed("no such order"));
    ExecutionResult later = run(context -> Result.later(Duration.ofMinutes(5), "not yet"));

    assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(failed.message()).isEqualTo("no such order");
    assertThat(later.outcome()).isEqualTo(Outcome.LATER);
    assertThat(later.laterDelay()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void thrownExceptionIsReportedWithItsTraceAndItsAncestors() {
    ExecutionResult result =
        run(
            context -> {
              throw new IOException("disk full");
            });

    assertThat(result.outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result.message()).startsWith("java.io.IOException: disk full").contains("\tat ");
    assertThat(result.exceptionTypes())
        .containsExactly("java.io.IOException", "java.lang.Exception", "java.lang.Throwable");
  }

  @Test
  void longTraceIsCutButKeepsItsCauses() {
    ExecutionResult result =
        run(
            context -> {
              Exception root = new IllegalStateException("the root");
              throw new IOException("x".repeat(100_000), root);
            });

    assertThat(result.message())
        .hasSizeLessThanOrEqualTo(ExecutionResult.MAX_MESSAGE_CHARS)
        .contains("Caused by: java.lang.IllegalStateException: the root");
  }

  @Test
  void longMessageIsCut() {
    ExecutionResult result = run(context -> Result.failed("x".repeat(100_000)));

    assertThat(result.message()).hasSize(ExecutionResult.MAX_MESSAGE_CHARS);
  }

  @Test
  void exceptionThatCannotPrintItselfIsStillReported() {
    ExecutionResult result =
        run(
            context -> {
              throw new Unprintable();
            });

    assertThat(result.outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result.message()).isEqualTo(Unprintable.class.getName());
  }

  private static final class Unprintable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no message for you");
    }
  }

  @Test
  void errorThatBreaksTheLogIsStillReportedAndFreesItsSlot() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  throw new UnprintableError();
                })
            .connect();
    worker.tracker.assign(execution(11));

    assertThatThrownBy(worker::runOneInvocation).hasMessage("no message for you");

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
  }

  private static final class UnprintableError extends Error {
    @Override
    public String getMessage() {
      throw new IllegalStateException("no message for you");
    }
  }

  @Test
  void errorIsReportedAsAnException() {
    ExecutionResult result =
        run(
            context -> {
              throw new NoClassDefFoundError("com/example/Missing");
            });

    assertThat(result.outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result.exceptionTypes()).contains("java.lang.LinkageError", "java.lang.Error");
  }

  @Test
  void outOfMemoryIsReportedAndReachesTheThreadToo() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  throw new OutOfMemoryError("Java heap space");
                })
            .connect();
    worker.tracker.assign(execution(11));

    assertThatThrownBy(worker::runOneInvocation).isInstanceOf(OutOfMemoryError.class);
    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(worker.tracker.lastPull().held()).isEmpty();
  }

  @Test
  void invocationSeesItsAssignment() {
    List<Object> seen = new ArrayList<>();
    run(
        context -> {
          seen.addAll(
              List.of(
                  context.nodeGroup(),
                  context.taskId(),
                  context.executionId(),
                  context.attempt(),
                  context.maxAttempts(),
                  context.plannedFor(),
                  context.dueAt(),
                  context.params(),
                  context.param("key")));
          seen.add(context.param("no such parameter"));
          return null;
        });

    assertThat(seen)
        .containsExactly(
            "orders",
            "task-11",
            11L,
            2,
            4,
            START,
            START.plusMillis(5),
            Map.of("key", "value-11"),
            "value-11",
            null);
  }

  @Test
  void invocationKnowsTheTraceThatItsJobWasSubmittedIn() {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    List<String> seen = new ArrayList<>();
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  seen.add(context.traceParent() + " " + context.traceState());
                  seen.add(MDC.get("traceParent") + " " + MDC.get("traceId"));
                  return null;
                })
            .connect();

    worker.tracker.assign(traced(11, new TraceContext(parent, "vendor=1")), traced(12, null));
    worker.runInvocations();

    assertThat(seen)
        .containsExactly(
            parent + " vendor=1",
            parent + " 4bf92f3577b34da6a3ce929d0e0e4736",
            "null null",
            "null null");
    assertThat(MDC.get("traceId")).isNull();
  }

  private static Assignment traced(long executionId, TraceContext trace) {
    return new Assignment(
        executionId,
        "orders",
        "task-" + executionId,
        START,
        0,
        START,
        1,
        1,
        null,
        Map.of(),
        null,
        trace);
  }

  @Test
  void invocationRunsUnderItsOwnMdcAndLeavesTheThreadAsItWas() {
    List<Map<String, String>> seen = new ArrayList<>();
    MDC.put("outer", "kept");
    try {
      run(
          context -> {
            seen.add(MDC.getCopyOfContextMap());
            MDC.put("leak", "me");
            return null;
          });

      assertThat(seen.get(0))
          .containsEntry("taskId", "task-11")
          .containsEntry("executionId", "11")
          .containsEntry("attempt", "2");
      assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("outer", "kept"));
    } finally {
      MDC.clear();
    }
  }

  @Test
  void handlerChoosesTheRunner() {
    List<String> ran = new ArrayList<>();
    HandDrivenWorker worker =
        HandDrivenWorker.with(recorder(ran, "default"))
            .handlers(Map.of("report", recorder(ran, "report"), "close", recorder(ran, "close")))
            .connect();

    worker.tracker.assign(execution(11, "close"), execution(12, "report"), execution(13, ""));
    worker.runInvocations();

    assertThat(ran).containsExactly("close", "report", "default");
  }

  @Test
  void onlyRunnerRunsWhatNamesNoHandler() {
    List<String> ran = new ArrayList<>();
    HandDrivenWorker worker =
        HandDrivenWorker.with(null).handlers(Map.of("report", recorder(ran, "report"))).connect();

    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertThat(ran).containsExactly("report");
  }

  private static JobRunner recorder(List<String> ran, String name) {
    return context -> {
      ran.add(name);
      return null;
    };
  }

  @Test
  void jobThatNoRunnerRanIsNeverASuccess() {
    HandDrivenWorker worker = connected(4);

    worker.tracker.assign(execution(11, "nobody"));

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.UNKNOWN_HANDLER);
    assertThat(worker.resultOf(11).message())
        .isEqualTo("no runner for handler 'nobody': this worker has only a default runner");
    assertThat(worker.resultOf(11).startedAt()).isNull();
    assertThat(worker.tracker.lastPull().slots()).isPositive();
  }

  @Test
  void workerSaysWhichRunnersItHas() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(null)
            .handlers(Map.of("b", context -> null, "a", context -> null))
            .connect();

    worker.tracker.assign(execution(11), execution(12, "c"));

    assertThat(worker.resultOf(11).message())
        .isEqualTo("the job names no handler, and this worker has 2 (a, b)");
    assertThat(worker.resultOf(12).message())
        .isEqualTo("no runner for handler 'c': this worker has a, b");
  }

  @Test
  void workerOfManyRunnersNamesTheFirst() {
    Map<String, JobRunner> many = new HashMap<>();
    for (int i = 10; i < 60; i++) {
      many.put("runner-" + i, context -> null);
    }
    HandDrivenWorker worker = HandDrivenWorker.with(null).handlers(many).connect();

    worker.tracker.assign(execution(11));

    assertThat(worker.resultOf(11).message())
        .startsWith("the job names no handler, and this worker has 50 (runner-10, runner-11, ")
        .endsWith("runner-29, …)");
  }

  @Test
  void attemptThatTheExecutorRefusesIsHandedBackAfterAPause() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success())
            .jobs(
                invocation -> {
                  throw new RejectedExecutionException("full");
                })
            .connect();

    worker.tracker.assign(execution(11));
    assertThat(worker.results()).isEmpty();
    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.NOT_STARTED);
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
  }

  @Test
  void cancelledJobLearnsThatItShouldStopAndItsResultStillCounts() {
    List<Boolean> asked = new ArrayList<>();
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  asked.add(context.isStopRequested());
                  return Result.success();
                })
            .connect();
    worker.tracker.assign(executions(11, 2));

    worker.tracker.answer(
        worker.tracker.lastPull().number(), PullReply.of(List.of(), List.of(12L, 999L)));
    worker.runInvocations();

    assertThat(asked).containsExactly(false, true);
    assertThat(worker.resultOf(12).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void interruptOfTheJobsOwnMakingIsAnExceptionAndDoesNotLeak() {
    ExecutionResult result =
        run(
            context -> {
              Thread.currentThread().interrupt();
              throw new InterruptedException("its own");
            });

    assertThat(result.outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
