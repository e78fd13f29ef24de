package io.millrace.jobtracker.pipeline;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WritePipelineTest {
  private final Deque<Runnable> handedOver = new ArrayDeque<>();
  private final List<List<Integer>> commits = new ArrayList<>();

  @Test
  void whatGathersDuringOneCommitMakesUpTheNext() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 100, this::commit);
    pipeline.write(1);
    pipeline.write(2);
    runNext();
    pipeline.write(3);
    pipeline.write(4);
    pipeline.write(5);
    runAll();

    assertThat(commits).containsExactly(List.of(1, 2), List.of(3, 4, 5));
  }

  @Test
  void whatWaitsIsBoundedInBytesOverAllPipelinesThatShareTheBound() {
    WaitingBytes shared = new WaitingBytes(100);
    WritePipeline<Integer, String> one = weighing(shared, Long.MAX_VALUE);
    WritePipeline<Integer, String> other = weighing(shared, Long.MAX_VALUE);
    CompletableFuture<String> first = one.write(60);

    assertThat(other.write(41))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(PipelineFullException.class)
        .withMessage("test: the limit of waiting items is reached, 100 bytes");
    CompletableFuture<String> second = other.write(40);
    runAll();

    assertThat(first).isCompletedWithValue("#60");
    assertThat(second).isCompletedWithValue("#40");
    CompletableFuture<String> afterwards = other.write(100);
    runAll();
    assertThat(afterwards).isCompletedWithValue("#100");
  }

  @Test
  void anItemAboveTheBoundPassesWhenNothingElseWaits() {
    WritePipeline<Integer, String> pipeline = weighing(new WaitingBytes(100), 100);
    CompletableFuture<String> large = pipeline.write(1_000);
    runAll();

    assertThat(large).isCompletedWithValue("#1000");
  }

  @Test
  void aCommitIsBoundedInBytes() {
    WritePipeline<Integer, String> pipeline = weighing(new WaitingBytes(1_000), 100);
    List<CompletableFuture<String>> unused = pipeline.writeAll(List.of(50, 50, 1, 150, 20, 30));
    runAll();

    assertThat(commits).containsExactly(List.of(50, 50), List.of(1), List.of(150), List.of(20, 30));
  }

  private WritePipeline<Integer, String> weighing(WaitingBytes shared, long maxBatchBytes) {
    return new WritePipeline<>(
        "test",
        handedOver::add,
        new PipelineBounds<>(10, maxBatchBytes, 10, shared, Integer::longValue),
        this::commit);
  }

  @Test
  void onlyOneCommitIsHandedOverAtATime() {
    WritePipeline<Integer, String> pipeline = pipeline(2, 100, this::commit);
    for (int i = 0; i < 7; i++) {
      pipeline.write(i);
      assertThat(handedOver).hasSize(1);
    }
    runAll();

    assertThat(commits).containsExactly(List.of(0, 1), List.of(2, 3), List.of(4, 5), List.of(6));
  }

  @Test
  void futureIsCompleteOnlyAfterTheCommitThatHoldsItsItem() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 100, this::commit);
    CompletableFuture<String> answer = pipeline.write(1);

    assertThat(answer).isNotDone();
    runAll();
    assertThat(answer).isCompletedWithValue("#1");
  }

  @Test
  void idlePipelineWritesAtOnceAgain() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 100, this::commit);
    pipeline.write(1);
    runAll();
    CompletableFuture<String> answer = pipeline.write(2);
    runAll();

    assertThat(answer).isCompletedWithValue("#2");
  }

  @Test
  void itemsBeyondTheBoundAreRefusedAndTheOthersWritten() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 2, this::commit);
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3));
    runAll();

    assertThat(answers.get(0)).isCompletedWithValue("#1");
    assertThat(answers.get(1)).isCompletedWithValue("#2");
    assertThat(failureOf(answers.get(2)))
        .isInstanceOf(PipelineFullException.class)
        .hasMessage("test: the limit of waiting items is reached, 2 writes");
    assertThat(pipeline.write(4)).as("there is room again").isNotDone();
  }

  @Test
  void writingNothingStartsNothing() {
    assertThat(pipeline(10, 2, this::commit).writeAll(List.of())).isEmpty();
    assertThat(handedOver).isEmpty();
  }

  @Test
  void storeThatCannotBeReachedFailsTheWholeBatchAtOnce() {
    AtomicInteger tries = new AtomicInteger();
    WritePipeline<Integer, String> pipeline =
        pipeline(
            10,
            100,
            batch -> {
              tries.incrementAndGet();
              throw new StoreUnavailableException("no database", null);
            });
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3, 4));
    runAll();

    assertThat(tries).hasValue(1);
    assertThat(answers)
        .allSatisfy(
            answer -> assertThat(failureOf(answer)).isInstanceOf(StoreUnavailableException.class));
  }

  /** Each half would only wait as long again. */
  @Test
  void rowsThatOthersHoldAndOutcomesThatCannotBeFoundOutFailTheWholeBatchAtOnce() {
    for (StoreException failure :
        List.of(
            new StoreBusyException("locked by hand", new Exception()),
            new UnknownOutcomeException("lost", new Exception()))) {
      AtomicInteger tries = new AtomicInteger();
      WritePipeline<Integer, String> pipeline =
          pipeline(
              10,
              100,
              items -> {
                tries.incrementAndGet();
                throw failure;
              });
      List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3, 4));
      runAll();

      assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
      assertThat(tries).hasValue(1);
    }
  }

  @Test
  void storeThatIsLostWhileABatchIsSplitFailsTheRest() {
    WritePipeline<Integer, String> pipeline =
        pipeline(
            10,
            100,
            batch -> {
              if (batch.size() > 2) {
                throw new StoreException("some item is guilty", null);
              }
              if (batch.contains(3)) {
                throw new StoreUnavailableException("no database", null);
              }
              return commit(batch);
            });
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3, 4));
    runAll();

    assertThat(answers.get(1)).isCompletedWithValue("#2");
    assertThat(failureOf(answers.get(2))).isInstanceOf(StoreUnavailableException.class);
    assertThat(failureOf(answers.get(3))).isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void refusedByTheExecutorFailsWhatWaitsAndTheNextWriteTriesAgain() {
    List<Runnable> accepted = new ArrayList<>();
    boolean[] open = {false};
    WritePipeline<Integer, String> pipeline =
        new WritePipeline<>(
            "test",
            task -> {
              if (!open[0]) {
                throw new RejectedExecutionException("full");
              }
              accepted.add(task);
            },
            ofCount(10, 100),
            this::commit);

    assertThat(failureOf(pipeline.write(1))).isInstanceOf(RejectedExecutionException.class);
    open[0] = true;
    CompletableFuture<String> later = pipeline.write(2);
    accepted.get(0).run();

    assertThat(later).isCompletedWithValue("#2");
    assertThat(commits).containsExactly(List.of(2));
  }

  @Test
  void refusedByTheExecutorBetweenTwoCommitsFailsWhatWaits() {
    List<Runnable> accepted = new ArrayList<>();
    WritePipeline<Integer, String> pipeline =
        new WritePipeline<>(
            "test",
            task -> {
              if (!accepted.isEmpty()) {
                throw new RejectedExecutionException("shutting down");
              }
              accepted.add(task);
            },
            ofCount(1, 100),
            this::commit);
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3));
    accepted.get(0).run();

    assertThat(answers.get(0)).isCompletedWithValue("#1");
    assertThat(failureOf(answers.get(1))).isInstanceOf(RejectedExecutionException.class);
    assertThat(failureOf(answers.get(2))).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void callbackMayWriteAgain() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 100, this::commit);
    CompletableFuture<String> second = new CompletableFuture<>();
    pipeline
        .write(1)
        .thenAccept(unused -> pipeline.write(2).thenAccept(answer -> second.complete(answer)));
    runAll();

    assertThat(second).isCompletedWithValue("#2");
    assertThat(commits).containsExactly(List.of(1), List.of(2));
  }

  /** As a cluster driven by hand in one thread has it. */
  @Test
  void manyBatchesOnADirectExecutorDoNotNest() {
    WritePipeline<Integer, String> pipeline =
        new WritePipeline<>("test", Runnable::run, ofCount(1, 50_000), this::commit);

    List<CompletableFuture<String>> answers =
        pipeline.writeAll(IntStream.range(0, 50_000).boxed().toList());

    assertThat(answers).allMatch(CompletableFuture::isDone);
    assertThat(commits.size()).isEqualTo(50_000);
  }

  @Test
  void callbackThatThrowsHarmsNobodyElse() {
    WritePipeline<Integer, String> pipeline = pipeline(10, 100, this::commit);
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2));
    CompletableFuture<Void> broken =
        answers
            .get(0)
            .thenAccept(
                unused -> {
                  throw new IllegalStateException("a careless listener");
                });
    runAll();
    CompletableFuture<String> next = pipeline.write(3);
    runAll();

    assertThat(broken).isCompletedExceptionally();
    assertThat(answers.get(1)).isCompletedWithValue("#2");
    assertThat(next).isCompletedWithValue("#3");
  }

  @Test
  void commitThatAnswersTooFewFailsEveryItemAndRepeatsNothing() {
    WritePipeline<Integer, String> pipeline =
        pipeline(
            10,
            100,
            batch -> {
              commits.add(batch);
              return List.of("#1");
            });
    List<CompletableFuture<String>> answers = pipeline.writeAll(List.of(1, 2, 3));
    runAll();

    assertThat(commits).hasSize(1);
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(failureOf(answer))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("test"));
  }

  @Property
  void splittingFindsExactlyTheGuiltyItems(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int items,
      @ForAll @IntRange(min = 1, max = 20) int maxBatch) {
    Random random = new Random(seed);
    Set<Integer> guilty = new HashSet<>();
    IntStream.range(0, items).filter(i -> random.nextInt(5) == 0).forEach(guilty::add);
    Deque<Runnable> tasks = new ArrayDeque<>();
    List<Integer> committed = new ArrayList<>();
    WritePipeline<Integer, String> pipeline =
        new WritePipeline<>(
            "test",
            tasks::add,
            ofCount(maxBatch, 1_000),
            batch -> {
              assertThat(batch).hasSizeLessThanOrEqualTo(maxBatch);
              if (!Collections.disjoint(batch, guilty)) {
                throw new StoreException("guilty", null);
              }
              committed.addAll(batch);
              return batch.stream().map(item -> "#" + item).toList();
            });
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int item = 0; item < items; item++) {
      answers.add(pipeline.write(item));
      if (random.nextInt(4) == 0 && !tasks.isEmpty()) {
        tasks.poll().run();
      }
    }
    while (!tasks.isEmpty()) {
      tasks.poll().run();
    }

    assertThat(committed)
        .as("in order, once each")
        .containsExactlyElementsOf(
            IntStream.range(0, items).filter(i -> !guilty.contains(i)).boxed().toList());
    for (int item = 0; item < items; item++) {
      if (guilty.contains(item)) {
        assertThat(failureOf(answers.get(item))).isInstanceOf(StoreException.class);
      } else {
        assertThat(answers.get(item)).isCompletedWithValue("#" + item);
      }
    }
  }

  @Test
  void manyThreadsWriteThroughOneCommitAtATimeEachInItsOrder() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    List<Integer> committed = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      WritePipeline<Integer, Integer> pipeline =
          new WritePipeline<>(
              "test",
              threads,
              ofCount(64, 100_000),
              batch -> {
                assertThat(underWay.incrementAndGet()).isEqualTo(1);
                committed.addAll(batch);
                underWay.decrementAndGet();
                return batch;
              });
      List<Future<List<CompletableFuture<Integer>>>> writers = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        int base = writer * 10_000;
        writers.add(
            threads.submit(
                () -> IntStream.range(base, base + 2_000).mapToObj(pipeline::write).toList()));
      }
      for (Future<List<CompletableFuture<Integer>>> writer : writers) {
        writer.get().forEach(CompletableFuture::join);
      }
      for (int writer = 0; writer < 4; writer++) {
        int base = writer * 10_000;
        assertThat(committed.stream().filter(i -> i / 10_000 * 10_000 == base))
            .containsExactlyElementsOf(IntStream.range(base, base + 2_000).boxed().toList());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void twoCommitsAreUnderWayIfTheBoundsPermit() {
    WritePipeline<Integer, String> pipeline = parallel(2, item -> List.of());
    for (int i = 0; i < 4; i++) {
      pipeline.write(i);
    }
    assertThat(handedOver).hasSize(2);
    Runnable second = List.copyOf(handedOver).get(1);
    runNext();
    pipeline.write(4);
    assertThat(handedOver).hasSize(2);
    second.run();
    runAll();

    assertThat(commits).containsExactly(List.of(0, 1, 2, 3), List.of(4));
  }

  /** Items from ten on have the same key; the first commit is held up while others are made. */
  @Test
  void itemsThatShareAKeyAreCommittedInTheirOrder() {
    List<Integer> first = new ArrayList<>();
    List<WritePipeline<Integer, String>> itself = new ArrayList<>();
    WritePipeline<Integer, String> pipeline =
        parallel(
            2,
            item -> item < 10 ? List.of() : List.of("ten"),
            batch -> {
              if (first.isEmpty()) {
                first.addAll(batch);
                itself.get(0).write(11);
                itself.get(0).write(1);
                itself.get(0).write(12);
                runNext();
                assertThat(commits)
                    .as("what shares no key is not held up")
                    .containsExactly(List.of(1));
              }
              return commit(batch);
            });
    itself.add(pipeline);
    CompletableFuture<String> answer = pipeline.write(10);
    runAll();

    assertThat(answer).isCompletedWithValue("#10");
    assertThat(commits).containsExactly(List.of(1), List.of(10), List.of(11, 12));
  }

  /** The second item waits for the first, so the third, which shares a key with it, waits too. */
  @Test
  void itemThatWaitsKeepsThoseBehindItThatShareAKey() {
    Map<Integer, List<String>> keys =
        Map.of(1, List.of("a"), 2, List.of("a", "b"), 3, List.of("b"), 4, List.of("c"));
    List<WritePipeline<Integer, String>> itself = new ArrayList<>();
    WritePipeline<Integer, String> pipeline =
        parallel(
            2,
            item -> keys.getOrDefault(item, List.of()),
            batch -> {
              if (batch.contains(1)) {
                List<CompletableFuture<String>> unused = itself.get(0).writeAll(List.of(2, 3, 4));
                runNext();
              }
              return commit(batch);
            });
    itself.add(pipeline);
    pipeline.write(1);
    runAll();

    assertThat(commits).containsExactly(List.of(4), List.of(1), List.of(2, 3));
  }

  @Test
  void manyThreadsWriteThroughParallelCommitsEachKeyInItsOrder() throws Exception {
    Set<Integer> underWay = ConcurrentHashMap.newKeySet();
    Map<Integer, List<Integer>> committed = new ConcurrentHashMap<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger commitsUnderWay = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      WritePipeline<Integer, Integer> pipeline =
          new WritePipeline<>(
              "test",
              threads,
              boundsOf(3, 100_000, 3, item -> List.of("key " + item % 7)),
              batch -> {
                most.accumulateAndGet(commitsUnderWay.incrementAndGet(), Math::max);
                Set<Integer> keys = batch.stream().map(item -> item % 7).collect(toSet());
                keys.forEach(key -> assertThat(underWay.add(key)).isTrue());
                batch.forEach(
                    item ->
                        committed.computeIfAbsent(item % 7, unused -> new ArrayList<>()).add(item));
                keys.forEach(key -> assertThat(underWay.remove(key)).isTrue());
                commitsUnderWay.decrementAndGet();
                return batch;
              });
      List<CompletableFuture<Integer>> answers =
          IntStream.range(0, 50_000).mapToObj(pipeline::write).toList();
      answers.forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }

    assertThat(most).hasValueLessThanOrEqualTo(3);
    assertThat(committed).hasSize(7);
    committed.forEach((key, items) -> assertThat(items).isSorted().doesNotHaveDuplicates());
    assertThat(committed.values().stream().mapToInt(List::size).sum()).isEqualTo(50_000);
  }

  private WritePipeline<Integer, String> parallel(
      int commitsAtATime, Function<Integer, List<String>> keys) {
    return parallel(commitsAtATime, keys, this::commit);
  }

  private WritePipeline<Integer, String> parallel(
      int commitsAtATime,
      Function<Integer, List<String>> keys,
      Function<List<Integer>, List<String>> commit) {
    return new WritePipeline<>(
        "test", handedOver::add, boundsOf(10, 100, commitsAtATime, keys), commit);
  }

  private WritePipeline<Integer, String> pipeline(
      int maxBatch, int maxWaiting, Function<List<Integer>, List<String>> commit) {
    return new WritePipeline<>("test", handedOver::add, ofCount(maxBatch, maxWaiting), commit);
  }

  private List<String> commit(List<Integer> batch) {
    commits.add(batch);
    return batch.stream().map(item -> "#" + item).toList();
  }

  private void runNext() {
    handedOver.remove().run();
  }

  private void runAll() {
    while (!handedOver.isEmpty()) {
      runNext();
    }
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    try {
      future.get();
      throw new AssertionError("it did not fail");
    } catch (ExecutionException | CompletionException e) {
      return e.getCause();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static <T> PipelineBounds<T> boundsOf(
      int maxBatch, int maxWaiting, int commitsAtATime, Function<T, List<String>> keys) {
    return new PipelineBounds<>(
        maxBatch,
        Long.MAX_VALUE,
        maxWaiting,
        new WaitingBytes(Long.MAX_VALUE),
        item -> 0,
        new PipelineBounds.Parallel<>(commitsAtATime, keys));
  }

  /** Bounds for items that are all small. */
  static <T> PipelineBounds<T> ofCount(int maxBatch, int maxWaiting) {
    return new PipelineBounds<>(
        maxBatch, Long.MAX_VALUE, maxWaiting, new WaitingBytes(Long.MAX_VALUE), item -> 0);
  }
}
