package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.connected;
import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RpcException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever fails inside a worker, its beats go on: they are the lives of what it runs. */
class LoopFailureTest {

  private static void beatFor(HandDrivenWorker worker, int seconds) {
    for (int i = 0; i < seconds; i++) {
      worker.advance(Duration.ofSeconds(1));
      if (worker.tracker.isAskedForWork()) {
        worker.answerEmpty();
      }
    }
  }

  private static void assertBeats(HandDrivenWorker worker) {
    int before = worker.tracker.pulls.size();
    beatFor(worker, 10);
    assertThat(worker.tracker.pulls).hasSizeGreaterThanOrEqualTo(before + 8);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void requestThatCannotBeSentDoesNotStopTheBeats(Class<? extends Request<?>> kind) {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  context.logger().info("a line");
                  return Result.success();
                })
            .connect();
    worker.tracker.unsendable =
        request -> kind.isInstance(request) ? () -> new IllegalStateException("no bytes") : null;
    worker.tracker.assign(executions(11, 2));
    worker.runInvocations();
    beatFor(worker, 5);

    worker.tracker.unsendable = request -> null;
    beatFor(worker, 8);

    assertBeats(worker);
    assertThat(worker.results()).hasSize(2);
    assertThat(worker.tracker.lines).hasSize(2);
    assertThat(worker.tracker.lastPull().held()).isEmpty();
  }

  static Stream<Class<?>> kinds() {
    return Stream.of(PullRequest.class, CompleteRequest.class, LogRequest.class);
  }

  @Test
  void slotsOfAPullThatCouldNotBeSentAreAskedForAgainBeforeItWouldBeGivenUp() {
    HandDrivenWorker worker = connected(4);
    worker.answerEmpty();
    worker.tracker.unsendable = request -> () -> new IllegalStateException("no bytes");
    worker.advance(Duration.ofSeconds(2));

    worker.tracker.unsendable = request -> null;
    worker.advance(Duration.ofSeconds(2));

    assertThat(worker.tracker.lastPull().slots()).isEqualTo(4);
  }

  @Test
  void loopThatHasNoThreadForAWhileBeatsOnAfterwardsAndAsksWithAllItsSlots() {
    AtomicBoolean hasNoThread = new AtomicBoolean();
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success())
            .loop(
                task -> {
                  if (hasNoThread.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  task.run();
                })
            .connect();
    hasNoThread.set(true);
    for (int i = 0; i < 10; i++) {
      worker.advance(Duration.ofSeconds(1));
    }

    hasNoThread.set(false);
    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.tracker.lastPull().slots()).isEqualTo(4);
    assertBeats(worker);
  }

  /** Its slot would be taken for ever. */
  @Test
  void endOfAnInvocationIsReportedLaterIfTheLoopHasNoThreadForIt() {
    AtomicBoolean hasNoThread = new AtomicBoolean();
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success())
            .loop(
                task -> {
                  if (hasNoThread.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  task.run();
                })
            .connect();
    worker.tracker.assign(execution(11));
    hasNoThread.set(true);
    worker.runOneInvocation();
    assertThat(worker.results()).isEmpty();

    hasNoThread.set(false);
    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  /** One result that can never be written must not keep back the others. */
  @Test
  void resultThatCannotBeWrittenIsLeftOutAndTheOthersArrive() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.success("of " + context.executionId())).connect();
    Supplier<RuntimeException> tooLarge =
        () -> new RpcException(ErrorCode.BAD_REQUEST, "cannot be written");
    worker.tracker.unsendable =
        request ->
            request instanceof CompleteRequest complete
                    && complete.results().stream().anyMatch(r -> r.executionId() == 12)
                ? tooLarge
                : null;
    worker.tracker.disconnect();
    worker.tracker.connect();
    worker.tracker.assign(executions(11, 4));
    worker.runInvocations();
    beatFor(worker, 5);

    assertThat(worker.results())
        .extracting(ExecutionResult::executionId)
        .containsExactlyInAnyOrder(11L, 13L, 14L);
    assertThat(worker.tracker.lastPull().held()).isEmpty();
    assertBeats(worker);
  }

  @Test
  void floodOfLogLinesDoesNotStopTheBeats() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  for (int i = 0; i < 20_000; i++) {
                    context.logger().info("line " + i);
                  }
                  return Result.success();
                })
            .connect();
    worker.tracker.answersLogs = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    assertBeats(worker);
    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void errorOfAnInvocationIsItsEndWithTypeAndMessageAndTheWorkerGoesOn(Error error) {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  if (context.executionId() == 11) {
                    throw error;
                  }
                  return Result.success();
                })
            .connect();
    worker.tracker.assign(execution(11), execution(12));

    Throwable atTheThread = catchThrowable(worker::runOneInvocation);
    worker.runInvocations();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(worker.resultOf(11).message()).startsWith(error.getClass().getName() + ": boom");
    assertThat(worker.resultOf(11).exceptionTypes()).contains("java.lang.Error");
    assertThat(worker.resultOf(12).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(atTheThread).isIn(null, error);
    assertBeats(worker);
  }

  static List<Error> errors() {
    return List.of(
        new OutOfMemoryError("boom"),
        new StackOverflowError("boom"),
        new NoClassDefFoundError("boom"),
        new AssertionError("boom"),
        new InternalError("boom"),
        new Error("boom") {});
  }

  @Test
  void recursionWithoutEndIsAnEndToo() {
    HandDrivenWorker worker = HandDrivenWorker.with(context -> recurse(context)).connect();
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).exceptionTypes()).contains("java.lang.StackOverflowError");
  }

  @SuppressWarnings("InfiniteRecursion") // that is what is tried here
  private static Result recurse(JobContext context) {
    Result result = recurse(context);
    return Result.failed(String.valueOf(result));
  }

  /** No memory is left for the words: the type has to do. */
  @Test
  void errorInTheMiddleOfDescribingAnEndIsNoReasonToKeepTheSlot() {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  throw new Speechless();
                })
            .connect();
    worker.tracker.assign(execution(11));
    worker.runOneInvocation();

    assertThat(worker.resultOf(11).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(worker.resultOf(11).message()).isEqualTo(Speechless.class.getName());
    assertThat(worker.tracker.lastPull().slots()).isEqualTo(1);
  }

  private static final class Speechless extends RuntimeException {
    @Override
    public synchronized Throwable getCause() {
      throw new OutOfMemoryError("even for this");
    }
  }

  @Test
  void workerWithoutWorkBeatsToo() {
    assertBeats(connected(4));
  }
}
