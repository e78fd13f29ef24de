package io.millrace.scripts.operate.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.scripts.CommandFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FewAtATimeTest {
  private final List<Integer> items = IntStream.range(0, 100).boxed().toList();

  @Test
  void severalAreSentAtATimeAndResultsAreInOrder() throws InterruptedException {
    CountDownLatch four = new CountDownLatch(4);
    List<Long> done = new ArrayList<>();

    List<Integer> results =
        FewAtATime.send(
            items,
            item -> {
              four.countDown();
              four.await();
              return item * 2;
            },
            done::add);

    assertThat(results).isEqualTo(items.stream().map(item -> item * 2).toList());
    assertThat(done).hasSize(100).endsWith(100L);
  }

  @Test
  void failureEndsTheOthers() {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                FewAtATime.send(
                    items,
                    item -> {
                      begun.incrementAndGet();
                      if (item == 0) {
                        throw new CommandFailedException("no answer");
                      }
                      never.await();
                      return item;
                    },
                    unused -> {}))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage("no answer");
    assertThat(begun.get()).isLessThan(items.size());
  }
}
