package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DueQueuesTest {
  private static final long TIMELY = 1_000;

  private final DueQueues queues = queues(100, 1 << 20);

  @Test
  void ofOnePriorityThreeTimelyOnesGoForOneOfTheBacklog() {
    LongStream.rangeClosed(1, 4).forEach(id -> backlog(id, 100));
    LongStream.rangeClosed(1, 8).forEach(id -> timely(TIMELY + id, 100));

    assertThat(drain(queues))
        .containsExactly(
            1_001L, 1_002L, 1_003L, 1L, 1_004L, 1_005L, 1_006L, 2L, 1_007L, 1_008L, 3L, 4L);
  }

  @Test
  void timelyOnesDoNotStarveTheBacklogHoweverManyCome() {
    LongStream.rangeClosed(1, 10).forEach(id -> backlog(id, 100));
    int ofBacklog = 0;
    for (int i = 0; i < 40; i++) {
      timely(TIMELY + i, 100);
      ofBacklog += take(queues) < TIMELY ? 1 : 0;
    }

    assertThat(ofBacklog).isEqualTo(10);
  }

  @Test
  void backlogDoesNotStarveTimelyOnesHoweverMuchComes() {
    timely(TIMELY, 100);
    List<Long> taken = new ArrayList<>();
    for (int id = 1; id <= 4; id++) {
      backlog(id, 100);
      taken.add(take(queues));
    }

    assertThat(taken.get(0)).isEqualTo(TIMELY);
  }

  @Test
  void higherPriorityGoesFirstInWhicheverLaneItIs() {
    timely(TIMELY, 100);
    timely(TIMELY + 1, 7);
    backlog(1, 50);
    backlog(2, 5);

    assertThat(drain(queues)).containsExactly(2L, TIMELY + 1, 1L, TIMELY);
  }

  @Test
  void withAgeingTheOrderDecidesBetweenPriorities() {
    DueQueues ageing =
        new DueQueues(
            new MemoryEviction(100, 1 << 20), PriorityOrder.ageing(Duration.ofMillis(10)));
    assertThat(ageing.offer(SampleTriggers.oneShot(1, 103, 60), false)).isEmpty();
    assertThat(ageing.offer(SampleTriggers.oneShot(2, 103, 80), false)).isEmpty();
    assertThat(ageing.offer(SampleTriggers.oneShot(3, 100, 100), true)).isEmpty();

    assertThat(drain(ageing)).containsExactly(1L, 3L, 2L);
  }

  @Test
  void rowIsInOneLaneOnly() {
    backlog(1, 100);
    timely(1, 100);

    assertThat(queues.size()).isEqualTo(1);
    assertThat(drain(queues)).containsExactly(1L);
  }

  @Test
  void whenFullTheBacklogMakesRoomUpToAQuarter() {
    DueQueues full = queues(8, 1 << 20);
    LongStream.rangeClosed(1, 8).forEach(id -> assertThat(offer(full, id, false)).isEmpty());
    List<Long> left = new ArrayList<>();
    for (long id = TIMELY; id < TIMELY + 8; id++) {
      left.addAll(offer(full, id, true));
    }

    assertThat(left).containsExactly(8L, 7L, 6L, 5L, 4L, 3L, TIMELY + 6, TIMELY + 7);
    assertThat(offer(full, 9, false)).as("the backlog has its share").containsExactly(9L);
  }

  /** Otherwise the table would hand over its backlog only when a timer comes by. */
  @Test
  void backlogIsAskedForThoughTimelyOnesFillTheRoom() {
    DueQueues full = queues(80, 1 << 20);
    LongStream.range(TIMELY, TIMELY + 80).forEach(id -> offer(full, id, true));
    assertThat(full.runsLow()).isTrue();
    assertThat(full.room()).isEqualTo(20);

    LongStream.rangeClosed(1, 10).forEach(id -> offer(full, id, false));
    assertThat(full.runsLow()).as("it has half of its share").isFalse();
    assertThat(full.room()).isEqualTo(10);
    assertThat(full.size()).isEqualTo(80);
  }

  @Test
  void roomAndLowWaterCountBothQueues() {
    DueQueues queues = queues(80, 80 * WaitingDeque.ROW_BYTES);
    LongStream.range(TIMELY, TIMELY + 20).forEach(id -> offer(queues, id, true));
    LongStream.rangeClosed(1, 19).forEach(id -> offer(queues, id, false));
    assertThat(queues.runsLow()).isTrue();
    assertThat(queues.room()).isEqualTo(41);

    offer(queues, 20, false);
    assertThat(queues.runsLow()).isFalse();
  }

  @Test
  void whenFullTheLowestPriorityLeavesWhicheverLaneItIsIn() {
    DueQueues full = queues(2, 1 << 20);
    assertThat(full.offer(SampleTriggers.oneShot(1, 100, 1), false)).isEmpty();
    assertThat(full.offer(SampleTriggers.oneShot(2, 200, 1), true)).isEmpty();

    assertThat(full.offer(SampleTriggers.oneShot(3, 50, 1), false))
        .extracting(WaitingTrigger::id)
        .containsExactly(2L);
  }

  @Property(tries = 300)
  void boundsCountBothLanesAndNothingIsLost(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 12) int maxCount,
      @ForAll @IntRange(min = 1, max = 8) int maxRows) {
    Random random = new Random(seed);
    long maxBytes = (long) maxRows * WaitingDeque.ROW_BYTES;
    DueQueues bounded = queues(maxCount, maxBytes);
    int in = 0;
    for (int id = 1; id < 100; id++) {
      if (random.nextInt(4) == 0) {
        in -= bounded.poll() == null ? 0 : 1;
      } else {
        WaitingTrigger row = SampleTriggers.oneShot(id, random.nextInt(3), random.nextInt(20));
        in += 1 - bounded.offer(row, random.nextBoolean()).size();
      }
      assertThat(bounded.size()).isEqualTo(in).isLessThanOrEqualTo(Math.min(maxCount, maxRows));
      assertThat(bounded.bytes()).isLessThanOrEqualTo(maxBytes);
    }
    assertThat(drain(bounded)).hasSize(in);
    assertThat(bounded.bytes()).isZero();
  }

  private static DueQueues queues(int maxCount, long maxBytes) {
    return new DueQueues(new MemoryEviction(maxCount, maxBytes), PriorityOrder.STRICT);
  }

  private void backlog(long id, int priority) {
    assertThat(queues.offer(SampleTriggers.oneShot(id, priority, id), false)).isEmpty();
  }

  private void timely(long id, int priority) {
    assertThat(queues.offer(SampleTriggers.oneShot(id, priority, id), true)).isEmpty();
  }

  private static List<Long> offer(DueQueues to, long id, boolean isTimely) {
    return to.offer(SampleTriggers.oneShot(id, 100, id), isTimely).stream()
        .map(WaitingTrigger::id)
        .toList();
  }

  private static long take(DueQueues from) {
    DueQueues.Taken taken = from.poll();
    assertThat(taken).isNotNull();
    return taken.trigger().id();
  }

  private static List<Long> drain(DueQueues from) {
    List<Long> drained = new ArrayList<>();
    while (from.size() > 0) {
      drained.add(take(from));
    }
    assertThat(from.poll()).isNull();
    return drained;
  }
}
