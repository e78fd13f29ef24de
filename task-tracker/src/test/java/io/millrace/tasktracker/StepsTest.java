package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.KeepException;
import io.millrace.api.NotRetryableException;
import io.millrace.api.Outcome;
import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.KeepReply;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps, checkpoints and progress, as an invocation sees them. */
@Timeout(30)
class StepsTest {
  private static final String RUN = "orders/close/1/0/0";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicReference<Object> seen = new AtomicReference<>();
  private final AtomicInteger bodies = new AtomicInteger();
  private int answered;
  private int told;

  record Charge(String id, int cents) {}

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  /** A worker whose one invocation runs in a thread of its own. */
  private HandDrivenWorker running(JobRunner runner) {
    return running(runner, ValueMapper.standard());
  }

  private HandDrivenWorker running(JobRunner runner, ValueMapper values) {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  try {
                    return runner.run(context);
                  } catch (Throwable thrown) {
                    seen.set(thrown);
                    throw thrown;
                  }
                })
            .jobs(threads)
            .values(values)
            .connect();
    worker.tracker.assign(execution(7));
    return worker;
  }

  private KeepRequest nextKeep(HandDrivenWorker worker) {
    await().until(() -> worker.tracker.keeps.size() > answered);
    return worker.tracker.keeps.get(answered).request();
  }

  private void answer(HandDrivenWorker worker, KeepStatus status) {
    KeepRequest unused = nextKeep(worker);
    worker.tracker.keeps.get(answered++).answer().complete(new KeepReply(status));
  }

  private void fail(HandDrivenWorker worker, ErrorCode code) {
    KeepRequest unused = nextKeep(worker);
    var call = worker.tracker.keeps.get(answered++);
    worker.loop.execute(() -> call.answer().completeExceptionally(new RpcException(code, "no")));
  }

  private void tell(HandDrivenWorker worker, KeptReply.Value... values) {
    await().until(() -> worker.tracker.kepts.size() > told);
    worker
        .tracker
        .kepts
        .get(told++)
        .answer()
        .complete(new KeptReply(KeepStatus.KEPT, RUN, List.of(values)));
  }

  private static ExecutionResult result(HandDrivenWorker worker) {
    await().until(() -> !worker.results().isEmpty());
    return worker.results().get(0);
  }

  private static KeptReply.Value step(String name, String json) {
    return new KeptReply.Value(KeptKind.STEP, name, json);
  }

  private Charge charge() {
    bodies.incrementAndGet();
    return new Charge("c-1", 1_200);
  }

  private JobRunner charging() {
    return context -> {
      seen.set(context.step("charge", Charge.class, this::charge));
      return Result.success();
    };
  }

  @Test
  void stepRunsItsBodyAndReturnsOnceItsValueIsStored() {
    HandDrivenWorker worker = running(charging());
    tell(worker);

    assertThat(nextKeep(worker))
        .isEqualTo(
            new KeepRequest(7, 1, KeptKind.STEP, "charge", "{\"id\":\"c-1\",\"cents\":1200}"));
    assertThat(worker.results()).isEmpty();
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(result(worker).kept()).isTrue();
    assertThat(seen).hasValue(new Charge("c-1", 1_200));
  }

  @Test
  void stepThatIsStoredDoesNotRun() {
    HandDrivenWorker worker = running(charging());
    tell(worker, step("charge", "{\"id\":\"c-0\",\"cents\":5}"));

    assertThat(result(worker).kept()).isTrue();
    assertThat(seen).hasValue(new Charge("c-0", 5));
    assertThat(bodies).hasValue(0);
    assertThat(worker.tracker.keeps).isEmpty();
  }

  @Test
  void jobWithoutStepsAsksAndReportsNothing() {
    HandDrivenWorker worker = running(context -> Result.success());

    assertThat(result(worker).kept()).isFalse();
    assertThat(worker.tracker.keeps).isEmpty();
    assertThat(worker.tracker.kepts).isEmpty();
  }

  @Test
  void valueIsSentAgainUnderItsNumberUntilItIsAnswered() {
    HandDrivenWorker worker = running(charging());
    tell(worker);
    KeepRequest first = nextKeep(worker);
    fail(worker, ErrorCode.UNAVAILABLE);
    worker.advance(Duration.ofSeconds(1));
    assertThat(nextKeep(worker)).isEqualTo(first);
    fail(worker, ErrorCode.INTERNAL);
    worker.advance(Duration.ofSeconds(1));
    assertThat(nextKeep(worker)).isEqualTo(first);
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(bodies).hasValue(1);
  }

  @Test
  void numbersCountWhatIsStored() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.step("a", () -> {});
              context.step("b", Integer.class, () -> 2);
              return Result.success();
            });
    tell(worker);

    assertThat(nextKeep(worker)).isEqualTo(new KeepRequest(7, 1, KeptKind.STEP, "a", null));
    answer(worker, KeepStatus.KEPT);
    assertThat(nextKeep(worker)).isEqualTo(new KeepRequest(7, 2, KeptKind.STEP, "b", "2"));
    answer(worker, KeepStatus.KEPT);
    assertThat(result(worker).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void lossEndsTheWaitWithAnException() {
    HandDrivenWorker worker = running(charging());
    tell(worker);
    KeepRequest unused = nextKeep(worker);
    PullRequest pull = worker.tracker.lastPull();
    worker.tracker.answer(
        pull.number(),
        new PullReply(
            PullStatus.SERVED,
            List.of(),
            null,
            List.of(),
            null,
            List.of(),
            List.of(7L),
            1L,
            null,
            null));

    assertThat(result(worker).outcome()).isEqualTo(Outcome.LEASE_LOST);
    assertThat(seen.get()).isInstanceOf(KeepException.class);
  }

  @Test
  void answerThatItIsLostEndsTheWaitToo() {
    HandDrivenWorker worker = running(charging());
    tell(worker);
    answer(worker, KeepStatus.LOST);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result(worker).noRetry()).isFalse();
    assertThat(seen.get()).isInstanceOf(KeepException.class);
  }

  @Test
  void trackerThatKnowsNoStepsIsNamed() {
    HandDrivenWorker worker = running(charging());
    await().until(() -> !worker.tracker.kepts.isEmpty());
    worker
        .tracker
        .kepts
        .get(0)
        .answer()
        .completeExceptionally(new RpcException(ErrorCode.UNSUPPORTED, "no"));

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat((Throwable) seen.get())
        .isInstanceOf(KeepException.class)
        .hasMessageContaining("keeps no steps");
    assertThat(bodies).as("nothing ran").hasValue(0);
  }

  @Test
  void nameTwiceInAnAttemptIsAnErrorBeforeTheBody() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.step("charge", Charge.class, this::charge);
              context.step("charge", Charge.class, this::charge);
              return Result.success();
            });
    tell(worker);
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).noRetry()).isTrue();
    assertThat((Throwable) seen.get())
        .isInstanceOf(NotRetryableException.class)
        .hasMessageContaining("step 'charge'")
        .hasMessageContaining("twice");
    assertThat(bodies).hasValue(1);
  }

  @Test
  void storedValueThatDoesNotFitIsAnErrorAndNoSecondRun() {
    HandDrivenWorker worker = running(charging());
    tell(worker, step("charge", "{\"id\":\"c-0\"}"));

    assertThat(result(worker).noRetry()).isTrue();
    assertThat((Throwable) seen.get())
        .isInstanceOf(NotRetryableException.class)
        .hasMessageContaining("cents");
    assertThat(bodies).hasValue(0);
  }

  @Test
  void valueThatCannotBeKeptIsRecordedAsAFaultSoThatTheBodyNeverRunsAgain() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.step("charge", String.class, () -> "x".repeat(70_000));
              return Result.success();
            });
    tell(worker);
    KeepRequest fault = nextKeep(worker);
    assertThat(fault.kind()).isEqualTo(KeptKind.FAULT);
    answer(worker, KeepStatus.KEPT);
    assertThat(result(worker).noRetry()).isTrue();
    assertThat((Throwable) seen.get()).hasMessageContaining("its body has run");

    answered = 0;
    told = 0;
    HandDrivenWorker next = running(charging());
    tell(next, new KeptReply.Value(KeptKind.FAULT, "charge", fault.value()));
    assertThat(result(next).noRetry()).isTrue();
    assertThat((Throwable) seen.get()).hasMessageContaining("65536");
    assertThat(bodies).hasValue(0);
  }

  /** A mapper that cannot be trusted. */
  private record Planted(String way) implements ValueMapper {
    @Override
    public String toJson(Object value) {
      return switch (way) {
        case "overflow" -> throw new StackOverflowError("contains itself");
        case "class" -> throw new NoClassDefFoundError("contains itself");
        default -> null;
      };
    }

    @Override
    public Object fromJson(String json, Type type) {
      return ValueMapper.standard().fromJson(json, type);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"overflow", "class", "null"})
  void errorOfTheMapperDoesNotRunTheBodyAgainEither(String way) {
    HandDrivenWorker worker = running(charging(), new Planted(way));
    tell(worker);
    KeepRequest fault = nextKeep(worker);
    assertThat(fault.kind()).isEqualTo(KeptKind.FAULT);
    assertThat(fault.value()).containsAnyOf("contains itself", "the mapper returned null");
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).noRetry()).isTrue();
    assertThat(bodies).hasValue(1);
  }

  @Test
  void stepsThatLeftAFaultCountAndBodiesThatThrowDoNot() {
    HandDrivenWorker worker =
        running(
            context -> {
              try {
                context.step(
                    "refused",
                    () -> {
                      throw new IllegalStateException("declined");
                    });
              } catch (IllegalStateException declined) {
                // It takes no place.
              }
              try {
                context.step("faulty", String.class, () -> "x".repeat(70_000));
              } catch (NotRetryableException faulty) {
                // It takes the last one.
              }
              return Result.of(context.step("one too many", Charge.class, this::charge));
            });
    tell(
        worker,
        IntStream.range(1, KeepRequest.MAX_STEPS)
            .mapToObj(i -> step("step-" + i, "1"))
            .toArray(KeptReply.Value[]::new));
    assertThat(nextKeep(worker).kind()).isEqualTo(KeptKind.FAULT);
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).message()).contains("step 'one too many'", "at most 1000 steps");
    assertThat(bodies).hasValue(0);
    assertThat(worker.tracker.keeps).hasSize(1);
  }

  @Test
  void bodyThatThrowsStoresNothing() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.step(
                  "charge",
                  () -> {
                    throw new IllegalStateException("declined");
                  });
              return Result.success();
            });
    tell(worker);

    assertThat(result(worker).message()).contains("declined");
    assertThat(worker.tracker.keeps).isEmpty();
  }

  @Test
  void keyOfAStepIsTheSameForARunAndItsReplays() {
    List<String> keys = new ArrayList<>();
    JobRunner runner =
        context -> {
          keys.add(context.stepKey("charge"));
          keys.add(context.stepKey("mail"));
          return Result.success();
        };
    for (int attempt = 0; attempt < 2; attempt++) {
      told = 0;
      HandDrivenWorker worker = running(runner);
      tell(worker);
      ExecutionResult unused = result(worker);
    }

    assertThat(keys.get(0))
        .matches("[0-9a-f]{32}")
        .isEqualTo(keys.get(2))
        .isNotEqualTo(keys.get(1));
    assertThat(keys.get(1)).isEqualTo(keys.get(3));
  }

  @Test
  void checkpointsDoNotWaitAndTheLastOneOfASecondIsSent() {
    AtomicInteger phase = new AtomicInteger();
    HandDrivenWorker worker =
        running(
            context -> {
              context.checkpoint(1);
              context.checkpoint(2);
              context.checkpoint(3);
              phase.set(1);
              await().until(() -> phase.get() == 2);
              return Result.success();
            });
    await().until(() -> phase.get() == 1);
    assertThat(nextKeep(worker).value()).isEqualTo("1");
    answer(worker, KeepStatus.KEPT);
    assertThat(worker.tracker.keeps).hasSize(1);
    worker.advance(Duration.ofSeconds(1));

    assertThat(nextKeep(worker)).isEqualTo(new KeepRequest(7, 2, KeptKind.CHECKPOINT, null, "3"));
    answer(worker, KeepStatus.KEPT);
    phase.set(2);
    assertThat(result(worker).kept()).isTrue();
    assertThat(worker.tracker.kepts).as("nothing is asked").isEmpty();
  }

  @Test
  void lastCheckpointIsStoredBeforeAnAttemptThatMayComeBackEnds() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.checkpoint(1);
              context.checkpoint(2);
              throw new IllegalStateException("half-way");
            });
    answer(worker, KeepStatus.KEPT);
    assertThat(nextKeep(worker).value()).isEqualTo("2");
    assertThat(worker.results()).isEmpty();
    answer(worker, KeepStatus.KEPT);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
  }

  @Test
  void attemptBeginsWithTheLastCheckpoint() {
    HandDrivenWorker worker =
        running(
            context -> {
              seen.set(context.checkpoint(Integer.class).orElse(0));
              return Result.success();
            });
    tell(worker, new KeptReply.Value(KeptKind.CHECKPOINT, null, "41"));

    ExecutionResult unused = result(worker);
    assertThat(seen).hasValue(41);
  }

  @Test
  void closedWorkerLetsNobodyWait() {
    HandDrivenWorker worker = running(charging());
    tell(worker);
    KeepRequest unused = nextKeep(worker);
    var closing = worker.node.stop();
    for (int i = 0; i < 60; i++) {
      worker.advance(Duration.ofSeconds(1));
    }

    await().until(() -> seen.get() instanceof KeepException);
  }

  @Test
  void progressGoesWithThePullsAtMostOnceASecond() {
    AtomicInteger phase = new AtomicInteger();
    HandDrivenWorker worker =
        running(
            context -> {
              await().until(() -> phase.get() == 1);
              context.progress(10);
              context.progress(3, 12, "of the files");
              phase.set(2);
              await().until(() -> phase.get() == 3);
              return Result.success();
            });
    phase.set(1);
    await().until(() -> phase.get() == 2);
    worker.advance(Duration.ofSeconds(1));
    worker.answerEmpty();
    worker.advance(Duration.ofSeconds(1));

    List<ExecutionProgress> sent =
        worker.tracker.pulls.stream()
            .map(call -> call.request().progress())
            .filter(news -> news != null)
            .flatMap(List::stream)
            .toList();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).done()).isEqualTo(3);
    assertThat(sent.get(0).total()).isEqualTo(12);
    assertThat(sent.get(0).message()).isEqualTo("of the files");
    phase.set(3);
    ExecutionResult unused = result(worker);
  }
}
