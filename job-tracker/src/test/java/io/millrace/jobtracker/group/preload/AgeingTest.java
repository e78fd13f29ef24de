package io.millrace.jobtracker.group.preload;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.LOOK_AHEAD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More work of a higher priority comes, for ever, than can be done; and some of a low one waits.
 */
class AgeingTest extends ServiceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int CAPACITY = 16;
  private static final int PER_SECOND = 12;
  private static final int TAKEN_PER_SECOND = 10;
  private static final long LOW = 1;

  private long nextId = 2;

  @Test
  void withoutAgeingALowPriorityIsNeverHandedOut() {
    assertThat(secondsUntilTheLowOneIsHandedOut(PriorityOrder.STRICT, 300)).isEqualTo(-1);
  }

  /** It overtakes what falls due 60 s after it, and what is before that is worked off first. */
  @Test
  void withAgeingALowPriorityIsHandedOutThoughHigherOnesFillTheDeque() {
    int seconds = secondsUntilTheLowOneIsHandedOut(PriorityOrder.ageing(SECOND), 300);

    int untilItOvertakes = 60;
    int backlogByThen = untilItOvertakes * (PER_SECOND - TAKEN_PER_SECOND);
    assertThat(seconds)
        .isBetween(untilItOvertakes, untilItOvertakes + backlogByThen / TAKEN_PER_SECOND + 2);
  }

  private int secondsUntilTheLowOneIsHandedOut(PriorityOrder order, int patience) {
    WaitingHead head = head(order);
    PreLoader loader = loader(head);
    stores.waiting().insert(GROUP, List.of(SampleTriggers.oneShot(LOW, 160, time.millis())));
    for (int second = 0; second < patience; second++) {
      long dueAt = time.millis();
      stores
          .waiting()
          .insert(
              GROUP,
              LongStream.range(nextId, nextId + PER_SECOND)
                  .mapToObj(id -> SampleTriggers.oneShot(id, 100, dueAt))
                  .toList());
      nextId += PER_SECOND;
      loader.runOnce(time.millis());
      if (take(head, TAKEN_PER_SECOND).stream().anyMatch(row -> row.id() == LOW)) {
        return second;
      }
      time.pass(SECOND);
    }
    return -1;
  }

  /**
   * Whatever comes due and goes, and has never waited on the wheel: after a load it is the first of
   * all that is due that goes out.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 40, 1_000})
  void whatIsHandedOutAfterALoadIsTheFirstOfAllThatIsDue(long millisPerLevel) {
    PriorityOrder order =
        millisPerLevel == 0
            ? PriorityOrder.STRICT
            : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    WaitingHead head = head(order);
    PreLoader loader = loader(head);
    TreeSet<WaitingTrigger> all = new TreeSet<>(order);
    Random random = new Random(millisPerLevel);
    for (int step = 0; step < 150; step++) {
      List<WaitingTrigger> fresh = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        long dueAt = time.millis() - random.nextInt(2_000);
        fresh.add(SampleTriggers.oneShot(nextId++, random.nextInt(6), dueAt));
      }
      stores.waiting().insert(GROUP, fresh);
      all.addAll(fresh);
      time.pass(Duration.ofMillis(random.nextInt(500)));
      long now = time.millis();
      loader.runOnce(now);

      List<WaitingTrigger> taken = take(head, random.nextInt(8));

      assertThat(taken)
          .containsExactlyElementsOf(
              all.stream().filter(row -> row.dueAt() <= now).limit(taken.size()).toList());
      all.removeAll(taken);
    }
    assertThat(all).as("more waited than the deque holds").hasSizeGreaterThan(CAPACITY);
  }

  private List<WaitingTrigger> take(WaitingHead head, int count) {
    List<WaitingTrigger> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      WaitingTrigger row = head.takeForClaim(time.millis(), time.millis());
      if (row != null) {
        taken.add(row);
      }
    }
    List<Long> ids = taken.stream().map(WaitingTrigger::id).toList();
    assertThat(stores.waiting().delete(GROUP, ids)).isEqualTo(ids.size());
    head.settle(ids);
    return taken;
  }

  private static WaitingHead head(PriorityOrder order) {
    return new WaitingHead(CAPACITY, 1 << 20, CAPACITY, MISFIRE_THRESHOLD, order);
  }

  private PreLoader loader(WaitingHead head) {
    return new PreLoader(
        HandDrivenTracker.memory(head).heads().plain(),
        stores,
        HandDrivenTracker.sweep(stores, new IdSequence(1, 0), tracker.signals()),
        time.timedExecutor(),
        new PreLoader.Ahead(LOOK_AHEAD, Duration.ZERO),
        () -> {},
        () -> {});
  }
}
