package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.KeepException;
import io.millrace.api.NotRetryableException;
import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.PartsRequest;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.internal.rpc.RpcException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts that handlers make, and reduces that read their results, as an invocation sees them. */
@Timeout(30)
class MapTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();
  private int answered;

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  /** A worker whose one invocation runs in a thread of its own. */
  private HandDrivenWorker running(JobRunner runner) {
    return running(runner, execution(7));
  }

  private HandDrivenWorker running(JobRunner runner, Assignment assignment) {
    HandDrivenWorker worker =
        HandDrivenWorker.with(
                context -> {
                  try {
                    return runner.run(context);
                  } catch (Throwable any) {
                    thrown.set(any);
                    throw any;
                  }
                })
            .jobs(threads)
            .connect();
    worker.tracker.assign(assignment);
    return worker;
  }

  private static JobRunner mapping(List<Map<String, Object>> parts) {
    return context -> {
      context.map(parts);
      return Result.success();
    };
  }

  private static List<Map<String, Object>> numbered(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> Map.<String, Object>of("n", number))
        .toList();
  }

  private ScriptedTracker.Call<StageRequest, StageReply> nextCall(HandDrivenWorker worker) {
    await().until(() -> worker.tracker.stages.size() > answered);
    return worker.tracker.stages.get(answered);
  }

  private StageRequest next(HandDrivenWorker worker) {
    return nextCall(worker).request();
  }

  private void answer(HandDrivenWorker worker, StageStatus status, String message) {
    nextCall(worker).answer().complete(new StageReply(status, message));
    answered++;
  }

  private void store(HandDrivenWorker worker) {
    answer(worker, StageStatus.STORED, null);
  }

  private void fail(HandDrivenWorker worker, ErrorCode code) {
    var call = nextCall(worker);
    worker.loop.execute(() -> call.answer().completeExceptionally(new RpcException(code, "no")));
    answered++;
  }

  private static ExecutionResult result(HandDrivenWorker worker) {
    await().until(() -> !worker.results().isEmpty());
    return worker.results().get(0);
  }

  @Test
  void partsAreStoredBeforeMapReturnsAndTheSuccessNamesTheirNumber() {
    AtomicInteger calls = new AtomicInteger();
    HandDrivenWorker worker =
        running(
            context -> {
              context.map(List.of(Map.of("text", "a", "day", LocalDate.of(2026, 1, 2))));
              calls.incrementAndGet();
              context.map("close", List.of(Map.of("id", 1L), Map.of()));
              return Result.success("split");
            });

    assertThat(next(worker))
        .isEqualTo(
            new StageRequest(
                7, 1, List.of(new StagedPart(null, Map.of("text", "a", "day", "\"2026-01-02\"")))));
    assertThat(calls).hasValue(0);
    store(worker);
    assertThat(next(worker))
        .isEqualTo(
            new StageRequest(
                7,
                2,
                List.of(
                    new StagedPart("close", Map.of("id", "1")),
                    new StagedPart("close", Map.of()))));
    assertThat(worker.results()).isEmpty();
    store(worker);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(result(worker).staged()).isEqualTo(3);
    assertThat(result(worker).message()).isEqualTo("split");
  }

  @Test
  void requestHasAtMostAThousandParts() {
    HandDrivenWorker worker = running(mapping(numbered(2_500)));
    List<Integer> firsts = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      firsts.add(next(worker).first());
      sizes.add(next(worker).parts().size());
      store(worker);
    }

    assertThat(result(worker).staged()).isEqualTo(2_500);
    assertThat(firsts).containsExactly(1, 1_001, 2_001);
    assertThat(sizes).containsExactly(1_000, 1_000, 500);
  }

  /** So that a million of them, which a collection makes as it is read, take little memory. */
  @Test
  void partsAreReadNoFurtherThanTheyAreSent() {
    AtomicInteger read = new AtomicInteger();
    Stream<Map<String, Object>> parts =
        IntStream.rangeClosed(1, 3_500).mapToObj(number -> Map.of("n", read.incrementAndGet()));
    HandDrivenWorker worker =
        running(
            context -> {
              context.map(new Lazy(parts.iterator()));
              return Result.success();
            });

    for (int first = 1; first <= 3_000; first += 1_000) {
      assertThat(next(worker).first()).isEqualTo(first);
      assertThat(read).as("the first of the next request is known").hasValue(first + 1_000);
      store(worker);
    }
    store(worker);
    assertThat(result(worker).staged()).isEqualTo(3_500);
  }

  /** Parts of which the next is made when it is asked for. */
  private static final class Lazy extends AbstractCollection<Map<String, Object>> {
    private final Iterator<Map<String, Object>> parts;

    Lazy(Iterator<Map<String, Object>> parts) {
      this.parts = parts;
    }

    @Override
    public Iterator<Map<String, Object>> iterator() {
      return parts;
    }

    @Override
    public int size() {
      return Integer.MAX_VALUE;
    }
  }

  @Test
  void requestHasAtMostOneMebibyteOfParameters() {
    String large = "x".repeat(400 * 1024);
    HandDrivenWorker worker =
        running(
            mapping(
                List.of(
                    Map.of("p", large),
                    Map.of("p", large),
                    Map.of("p", large),
                    Map.of("p", "x".repeat((1 << 20) - 1)))));
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(next(worker).bytes()).isLessThanOrEqualTo(StageRequest.MAX_BYTES);
      sizes.add(next(worker).parts().size());
      store(worker);
    }

    assertThat(result(worker).staged()).isEqualTo(4);
    assertThat(sizes).containsExactly(2, 1, 1);
  }

  @Test
  void requestIsRepeatedUnderItsFirstNumberUntilItIsAnswered() {
    HandDrivenWorker worker = running(mapping(numbered(1_500)));
    store(worker);
    StageRequest second = next(worker);
    fail(worker, ErrorCode.UNAVAILABLE);
    worker.advance(Duration.ofSeconds(1));
    assertThat(next(worker)).isEqualTo(second);
    fail(worker, ErrorCode.INTERNAL);
    worker.advance(Duration.ofSeconds(1));
    assertThat(next(worker)).isEqualTo(second);
    store(worker);

    assertThat(result(worker).staged()).isEqualTo(1_500);
  }

  @Test
  void anotherTrackerAnswersWhatTheFirstOneDidNot() {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    StageRequest request = next(worker);
    worker.loop.execute(worker.tracker::disconnect);
    answered++;
    worker.tracker.connect();
    worker.advance(Duration.ofSeconds(1));

    assertThat(next(worker)).isEqualTo(request);
    store(worker);
    assertThat(result(worker).staged()).isEqualTo(3);
  }

  @Test
  void mapOfNothingSplitsTheRunIntoNoParts() {
    HandDrivenWorker worker = running(mapping(List.of()));

    assertThat(result(worker).staged()).isZero();
    assertThat(worker.tracker.stages).isEmpty();
  }

  @Test
  void jobThatDoesNotMapIsNotSplit() {
    HandDrivenWorker worker = running(context -> Result.success());

    assertThat(result(worker).staged()).isNull();
  }

  @Test
  void handlerThatMapsAndThenFailsSplitsNothing() {
    List<JobRunner> endings =
        List.of(
            context -> Result.failed("no"),
            context -> Result.later(Duration.ofSeconds(1)),
            context -> Result.of(new StringBuilder("no JSON")),
            context -> {
              throw new IllegalStateException("half-way");
            });
    for (JobRunner ending : endings) {
      answered = 0;
      HandDrivenWorker worker =
          running(
              context -> {
                context.map(numbered(3));
                return ending.run(context);
              });
      store(worker);

      assertThat(result(worker).staged()).isNull();
    }
  }

  @Test
  void lossEndsTheWaitWithAnException() {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    StageRequest unused = next(worker);
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
    assertThat(thrown.get()).isInstanceOf(KeepException.class).hasMessageContaining("was lost");
  }

  @Test
  void answerThatItIsLostEndsTheWaitToo() {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    answer(worker, StageStatus.LOST, null);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result(worker).noRetry()).isFalse();
    assertThat(result(worker).staged()).isNull();
    assertThat(thrown.get()).isInstanceOf(KeepException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = StageStatus.class,
      names = {"TOO_MANY", "TOO_DEEP", "TOO_LARGE"})
  void boundsAreNotTriedAgain(StageStatus bound) {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    answer(worker, bound, "at most 1,000,000 parts");

    assertThat(result(worker).noRetry()).isTrue();
    assertThat(thrown.get())
        .isInstanceOf(NotRetryableException.class)
        .hasMessage(
            "execution 7 of orders/task-7: parts from number 1 on cannot be stored:"
                + " at most 1,000,000 parts");
  }

  @ParameterizedTest
  @EnumSource(
      value = StageStatus.class,
      names = {"CONFLICT", "REFUSED", "UNKNOWN"})
  void refusalIsTriedAgainByTheRetryPolicy(StageStatus refusal) {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    answer(worker, refusal, null);

    assertThat(result(worker).noRetry()).isFalse();
    assertThat(thrown.get())
        .isInstanceOf(KeepException.class)
        .hasMessageContaining("the tracker said " + refusal);
  }

  @Test
  void trackerThatKnowsNoPartsIsNamed() {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    fail(worker, ErrorCode.UNSUPPORTED);

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(thrown.get())
        .isInstanceOf(KeepException.class)
        .hasMessageContaining("knows no parts that handlers make");
  }

  @Test
  void handlerThatGoesOnAfterAFailedMapDoesNotSucceed() {
    HandDrivenWorker worker =
        running(
            context -> {
              try {
                context.map(numbered(1_500));
              } catch (KeepException tooOld) {
                // It goes on with part of the parts.
              }
              return Result.success();
            });
    store(worker);
    answer(worker, StageStatus.REFUSED, "tracker t-2 is too old");

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result(worker).staged()).isNull();
    assertThat(result(worker).message()).contains("parts from number 1001 on", "t-2 is too old");
  }

  @Test
  void partThatIsNotAllowedIsNamed() {
    List<Map<String, Object>> parts = new ArrayList<>(numbered(2));
    parts.add(Map.of("bean", new StringBuilder()));
    HandDrivenWorker worker = running(mapping(parts));
    assertThat(result(worker).noRetry()).isTrue();
    assertThat(result(worker).message()).contains("part 3: parameter 'bean'");

    HandDrivenWorker large = running(mapping(List.of(Map.of("p", "x".repeat(1 << 20)))));
    assertThat(result(large).message()).contains("part 1: the parameters have 1048577 bytes");

    HandDrivenWorker unnamed =
        running(
            context -> {
              context.map(" ", numbered(1));
              return Result.success();
            });
    assertThat(result(unnamed).message()).contains("part 1: a handler name must have");
    assertThat(worker.tracker.stages).isEmpty();
  }

  @Test
  void interruptEndsTheWait() {
    HandDrivenWorker worker =
        running(mapping(numbered(3)), HandDrivenWorker.withTimeout(7, Duration.ofSeconds(2)));
    StageRequest unused = next(worker);
    worker.advance(Duration.ofSeconds(2));

    assertThat(result(worker).outcome()).isEqualTo(Outcome.TIMED_OUT);
    await().until(() -> thrown.get() instanceof KeepException);
  }

  @Test
  void closedWorkerLetsNobodyWait() {
    HandDrivenWorker worker = running(mapping(numbered(3)));
    StageRequest unused = next(worker);
    var closing = worker.node.stop();
    for (int i = 0; i < 60; i++) {
      worker.advance(Duration.ofSeconds(1));
    }

    await().until(() -> thrown.get() instanceof KeepException);
  }

  @Test
  void partRunsTheHandlerThatItNamesAndKnowsItsNumber() {
    AtomicInteger number = new AtomicInteger(-1);
    HandDrivenWorker worker =
        HandDrivenWorker.with(context -> Result.failed("the wrong one"))
            .handlers(
                Map.of(
                    "close",
                    context -> {
                      number.set(context.part());
                      return Result.success();
                    }))
            .connect();
    worker.tracker.assign(HandDrivenWorker.part(7, "close", 41));
    worker.runInvocations();

    assertThat(worker.resultOf(7).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(number).hasValue(41);
  }

  private static io.millrace.internal.protocol.PartResult ended(int number) {
    return new io.millrace.internal.protocol.PartResult(
        number, PartOutcome.SUCCEEDED, String.valueOf(number), Map.of("n", "" + number));
  }

  private void tell(HandDrivenWorker worker, int call, int from, int to, boolean more) {
    await().until(() -> worker.tracker.parts.size() > call);
    assertThat(worker.tracker.parts.get(call).request()).isEqualTo(new PartsRequest(7, from - 1));
    worker
        .tracker
        .parts
        .get(call)
        .answer()
        .complete(
            new PartsReply(
                true, IntStream.rangeClosed(from, to).mapToObj(MapTest::ended).toList(), more));
  }

  @Test
  void reduceReadsAPageWhenTheOneBeforeIsUsedUp() {
    AtomicInteger read = new AtomicInteger();
    HandDrivenWorker worker =
        running(
            context -> {
              long sum = 0;
              for (PartResult part : context.parts()) {
                read.incrementAndGet();
                sum += part.result(Long.class).orElseThrow();
              }
              return Result.of(sum);
            },
            HandDrivenWorker.reduce(7));
    tell(worker, 0, 1, 1_000, true);
    await().until(() -> worker.tracker.parts.size() == 2);
    assertThat(read).hasValue(1_000);
    tell(worker, 1, 1_001, 1_400, true);
    await().until(() -> worker.tracker.parts.size() == 3);
    assertThat(read).hasValue(1_400);
    tell(worker, 2, 1_401, 1_500, false);

    assertThat(result(worker).result()).isEqualTo("1125750");
    assertThat(worker.tracker.parts).hasSize(3);
  }

  @Test
  void reduceAsksForNoMoreThanItReads() {
    HandDrivenWorker worker =
        running(
            context -> Result.of(context.parts().iterator().next().number()),
            HandDrivenWorker.reduce(7));
    tell(worker, 0, 1, 1_000, true);

    assertThat(result(worker).result()).isEqualTo("1");
    assertThat(worker.tracker.parts).hasSize(1);
  }

  @Test
  void reduceSeesHowPartsEndedAndWithWhichParameters() {
    List<PartResult> seen = new ArrayList<>();
    HandDrivenWorker worker =
        running(
            context -> {
              context.parts().forEach(seen::add);
              return Result.success();
            },
            HandDrivenWorker.reduce(7));
    await().until(() -> !worker.tracker.parts.isEmpty());
    worker
        .tracker
        .parts
        .get(0)
        .answer()
        .complete(
            new PartsReply(
                true,
                List.of(
                    new io.millrace.internal.protocol.PartResult(
                        1, PartOutcome.SUCCEEDED, "\"done\"", Map.of("n", "1")),
                    new io.millrace.internal.protocol.PartResult(2, PartOutcome.DEAD, null, null)),
                false));

    ExecutionResult unused = result(worker);
    assertThat(seen).extracting(PartResult::isSuccess).containsExactly(true, false);
    assertThat(seen.get(0).result(String.class)).contains("done");
    assertThat(seen.get(0).params()).isEqualTo(Map.of("n", "1"));
    assertThat(seen.get(1).disposition()).isEqualTo(Disposition.DEAD);
    assertThat(seen.get(1).result(String.class)).isEmpty();
    assertThat(seen.get(1).params()).as("none of its own").isEmpty();
  }

  @Test
  void resultThatDoesNotFitIsNotTriedAgain() {
    HandDrivenWorker worker =
        running(
            context -> Result.of(context.parts().iterator().next().result(LocalDate.class)),
            HandDrivenWorker.reduce(7));
    tell(worker, 0, 1, 1, false);

    assertThat(result(worker).noRetry()).isTrue();
    assertThat(thrown.get()).hasMessageContaining("the result of part 1 does not fit");
  }

  @Test
  void reduceThatIsLostOrGetsNoPageEnds() {
    JobRunner counting =
        context -> {
          int count = 0;
          for (PartResult part : context.parts()) {
            count += part.number();
          }
          return Result.of(count);
        };
    HandDrivenWorker lost = running(counting, HandDrivenWorker.reduce(7));
    await().until(() -> !lost.tracker.parts.isEmpty());
    lost.tracker.parts.get(0).answer().complete(new PartsReply(false, List.of(), false));
    assertThat(result(lost).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(thrown.get()).isInstanceOf(KeepException.class);

    HandDrivenWorker cut = running(counting, HandDrivenWorker.reduce(7));
    tell(cut, 0, 1, 10, true);
    await().until(() -> cut.tracker.parts.size() == 2);
    cut.tracker.parts.get(1).answer().complete(new PartsReply(true, List.of(), true));
    assertThat(result(cut).message()).contains("has parts above number 10 but sent none");
  }

  @Test
  void onlyAReduceHasParts() {
    HandDrivenWorker worker =
        running(
            context -> {
              context.parts().forEach(part -> {});
              return Result.success();
            });

    assertThat(result(worker).outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
    assertThat(worker.tracker.parts).isEmpty();
  }
}
