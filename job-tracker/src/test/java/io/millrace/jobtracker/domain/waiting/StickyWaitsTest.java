package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StickyWaitsTest {
  private static final List<String> WORKERS = List.of("a", "b", "c", "d");

  private final StickyWaits waits = new StickyWaits(2);

  private static WaitingTrigger trigger(long id) {
    return SampleTriggers.oneShot(id, 100, id);
  }

  @Test
  void keysAreSharedOutAndOnlyThoseOfAWorkerThatGoesMove() {
    Map<String, Integer> shares = new HashMap<>();
    for (int key = 0; key < 4_000; key++) {
      String chosen = StickyWaits.choose("customer-" + key, WORKERS);
      shares.merge(String.valueOf(chosen), 1, Integer::sum);
      String without = StickyWaits.choose("customer-" + key, List.of("d", "c", "a"));
      assertThat(without).isIn("a", "c", "d");
      if (!"b".equals(chosen)) {
        assertThat(without).isEqualTo(chosen);
      }
    }
    assertThat(shares.values()).allMatch(share -> share > 850 && share < 1_150);
    assertThat(StickyWaits.choose("customer-1", List.of())).isNull();
  }

  @Test
  void triggerWaitsWhileItsWorkerHadASlotAMomentAgo() {
    assertThat(waits.setAside(trigger(1), "a", 0)).as("a worker that never asked").isFalse();
    waits.hadSlot("a", 100);
    assertThat(waits.setAside(trigger(1), "a", 2_099)).isTrue();
    assertThat(waits.releaseOverdue(2_099)).isEmpty();
    assertThat(waits.isEmpty()).isFalse();

    assertThat(waits.releaseOverdue(2_100)).containsExactly(1L);
    assertThat(waits.isEmpty()).isTrue();
    assertThat(waits.setAside(trigger(1), "a", 2_100)).isFalse();
  }

  @Test
  void noMoreWaitThanMay() {
    waits.hadSlot("a", 0);
    waits.hadSlot("b", 0);
    assertThat(waits.setAside(trigger(2), "a", 1)).isTrue();
    assertThat(waits.setAside(trigger(1), "a", 1)).isTrue();
    assertThat(waits.setAside(trigger(3), "b", 1)).isFalse();

    assertThat(waits.release("a", 1)).as("the first of them").containsExactly(1L);
    assertThat(waits.setAside(trigger(3), "b", 1)).isTrue();
    assertThat(waits.forget("a")).containsExactly(2L);
    assertThat(waits.forget("b")).containsExactly(3L);
    assertThat(waits.isEmpty()).isTrue();
    assertThat(IntStream.range(0, 3).allMatch(n -> waits.release("a", 5).isEmpty())).isTrue();
  }
}
