package io.millrace.jobtracker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedReadsTest {
  private final Deque<Runnable> handed = new ArrayDeque<>();
  private final BoundedReads reads = new BoundedReads(this::hand);
  private boolean closed;

  private void hand(Runnable task) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    handed.add(task);
  }

  private static Throwable failureOf(CompletableFuture<?> answer) {
    assertThat(answer).isCompletedExceptionally();
    return Objects.requireNonNull(answer.handle((unused, failure) -> failure).join());
  }

  @Test
  void fewReadAtOnceAndTheOthersFollowInOrder() {
    List<Integer> read = new ArrayList<>();
    List<CompletableFuture<Boolean>> answers =
        IntStream.range(0, 10).mapToObj(i -> reads.read(() -> read.add(i))).toList();
    assertThat(handed).hasSize(BoundedReads.MAX_AT_ONCE);

    handed.remove().run();

    assertThat(read).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(answers).allMatch(CompletableFuture::isDone);
    handed.forEach(Runnable::run);
    handed.clear();
    CompletableFuture<Boolean> later = reads.read(() -> read.add(10));
    handed.remove().run();
    assertThat(later).isCompleted();
  }

  @Test
  void questionAboveTheBoundIsAnsweredAtOnceAndMayBeAskedAgain() {
    for (int i = 0; i < BoundedReads.MAX_WAITING; i++) {
      assertThat(reads.read(() -> 1)).isNotDone();
    }

    assertThat(failureOf(reads.read(() -> 1)))
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("limit 1000");

    handed.remove().run();
    assertThat(reads.read(() -> 1)).isNotDone();
  }

  @Test
  void failureOfAReadIsItsOwn() {
    CompletableFuture<Object> bad =
        reads.read(
            () -> {
              throw new IllegalStateException("planted");
            });
    CompletableFuture<Integer> good = reads.read(() -> 1);

    handed.remove().run();

    assertThat(failureOf(bad)).hasMessageContaining("planted");
    assertThat(good).isCompletedWithValue(1);
  }

  @Test
  void readThatNobodyRunsFailsAndTakesNoPlace() {
    closed = true;
    for (int i = 0; i < 2 * BoundedReads.MAX_AT_ONCE; i++) {
      assertThat(failureOf(reads.read(() -> 1))).isInstanceOf(RejectedExecutionException.class);
    }

    closed = false;
    CompletableFuture<Integer> later = reads.read(() -> 1);
    handed.remove().run();
    assertThat(later).isCompletedWithValue(1);
  }
}
