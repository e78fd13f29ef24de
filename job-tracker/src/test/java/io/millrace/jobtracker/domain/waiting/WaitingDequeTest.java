package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WaitingDequeTest {
  private static final PriorityOrder ORDER = PriorityOrder.STRICT;

  @Test
  void lowerPriorityThenEarlierDueTimeThenLowerIdComesFirst() {
    WaitingDeque deque = deque(10, 1 << 20);
    deque.offer(SampleTriggers.oneShot(4, 100, 50));
    deque.offer(SampleTriggers.oneShot(3, 100, 50));
    deque.offer(SampleTriggers.oneShot(2, 100, 60));
    deque.offer(SampleTriggers.oneShot(1, 200, 10));
    deque.offer(SampleTriggers.oneShot(9, 0, 90));

    assertThat(drain(deque)).containsExactly(9L, 3L, 4L, 2L, 1L);
  }

  /** What LTS got wrong: 50 jobs offered five times made a queue of 250. */
  @Test
  void offeringTheSameRowsAgainAddsNothing() {
    WaitingDeque deque = deque(1_000, 1 << 20);
    for (int round = 0; round < 5; round++) {
      for (long id = 1; id <= 50; id++) {
        assertThat(deque.offer(SampleTriggers.oneShot(id, 100, 0))).isEmpty();
      }
    }

    assertThat(deque.size()).isEqualTo(50);
    assertThat(drain(deque)).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void fullDequeOfBulkWorkLetsAnUrgentTriggerInAndTheLastOneOut() {
    WaitingDeque deque = deque(3, 1 << 20);
    for (long id = 1; id <= 3; id++) {
      deque.offer(SampleTriggers.oneShot(id, 200, id));
    }
    WaitingTrigger urgent = SampleTriggers.oneShot(9, 1, 99);
    WaitingTrigger worse = SampleTriggers.oneShot(8, 200, 99);

    assertThat(deque.offer(urgent)).containsExactly(SampleTriggers.oneShot(3, 200, 3));
    assertThat(deque.offer(worse)).containsExactly(worse);
    assertThat(drain(deque)).containsExactly(9L, 1L, 2L);
  }

  @Test
  void largeTriggerDrivesOutAsManyAsItsBytesNeed() {
    WaitingDeque deque = deque(10, 4_000);
    for (long id = 1; id <= 7; id++) {
      deque.offer(SampleTriggers.oneShot(id, 200, id));
    }

    List<WaitingTrigger> left = deque.offer(SampleTriggers.oneShot(9, 1, 0, paramsOf(1_000)));

    assertThat(left).extracting(WaitingTrigger::id).containsExactly(7L, 6L, 5L, 4L, 3L);
    assertThat(deque.bytes()).isLessThanOrEqualTo(4_000);
  }

  /** It could never be handed out otherwise. */
  @Test
  void oneTriggerAloneMayBeLargerThanTheBoundInBytes() {
    WaitingDeque deque = deque(10, 1_000);
    WaitingTrigger large = SampleTriggers.oneShot(1, 100, 0, paramsOf(5_000));

    assertThat(deque.offer(large)).isEmpty();
    assertThat(deque.poll()).isEqualTo(large);
    assertThat(deque.bytes()).isZero();
  }

  @Test
  void dequeThatHoldsNothingIsRefused() {
    assertThatThrownBy(() -> deque(0, 1 << 20)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> deque(1, WaitingDeque.ROW_BYTES - 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void orderIsTotal(
      @ForAll @IntRange(max = 3) int priorityA,
      @ForAll @IntRange(max = 3) int dueA,
      @ForAll @IntRange(max = 3) int idA,
      @ForAll @IntRange(max = 3) int priorityB,
      @ForAll @IntRange(max = 3) int dueB,
      @ForAll @IntRange(max = 3) int idB) {
    WaitingTrigger a = SampleTriggers.oneShot(idA, priorityA, dueA);
    WaitingTrigger b = SampleTriggers.oneShot(idB, priorityB, dueB);
    int order = Integer.signum(ORDER.compare(a, b));

    assertThat(order).isEqualTo(-Integer.signum(ORDER.compare(b, a)));
    assertThat(order == 0).isEqualTo(priorityA == priorityB && dueA == dueB && idA == idB);
  }

  /** The model is a list that is sorted anew after every step. */
  @Property
  void dequeDoesWhatASortedListDoes(
      @ForAll long seed,
      @ForAll @IntRange(max = 3) int millisPerLevel,
      @ForAll @IntRange(min = 1, max = 300) int steps,
      @ForAll @IntRange(min = 1, max = 12) int maxCount,
      @ForAll @IntRange(min = 512, max = 8_000) int maxBytes) {
    Random random = new Random(seed);
    PriorityOrder order =
        millisPerLevel == 0 ? ORDER : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    WaitingDeque deque = new WaitingDeque(new MemoryEviction(maxCount, maxBytes), order);
    Model model = new Model(maxCount, maxBytes, millisPerLevel);
    List<WaitingTrigger> known = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(6)) {
        case 0 -> assertThat(deque.poll()).isEqualTo(model.poll());
        case 1 -> {
          long id = random.nextInt(40);
          assertThat(deque.remove(id)).isEqualTo(model.remove(id));
        }
        default -> {
          WaitingTrigger offered = any(random, known);
          assertThat(deque.offer(offered)).isEqualTo(model.offer(offered));
        }
      }
      assertThat(deque.size()).isEqualTo(model.rows.size()).isLessThanOrEqualTo(maxCount);
      assertThat(deque.bytes()).isEqualTo(model.bytes());
      assertThat(deque.size() <= 1 || deque.bytes() <= maxBytes).isTrue();
      assertThat(known).allMatch(row -> deque.contains(row.id()) == model.contains(row.id()));
    }
    assertThat(drain(deque)).containsExactlyElementsOf(model.ids());
  }

  /** A row never changes, so an id stands for one content. */
  private static WaitingTrigger any(Random random, List<WaitingTrigger> known) {
    if (!known.isEmpty() && random.nextInt(3) == 0) {
      return known.get(random.nextInt(known.size()));
    }
    WaitingTrigger fresh =
        SampleTriggers.oneShot(
            known.size(), random.nextInt(3), random.nextInt(5), paramsOf(random.nextInt(1_500)));
    known.add(fresh);
    return fresh;
  }

  private static WaitingDeque deque(int maxCount, long maxBytes) {
    return new WaitingDeque(new MemoryEviction(maxCount, maxBytes), ORDER);
  }

  private static StoredParams paramsOf(int bytes) {
    return bytes == 0 ? StoredParams.NONE : new StoredParams(bytes, "x".repeat(bytes));
  }

  private static List<Long> drain(WaitingDeque deque) {
    List<Long> ids = new ArrayList<>();
    for (WaitingTrigger next = deque.poll(); next != null; next = deque.poll()) {
      ids.add(next.id());
    }
    return ids;
  }

  /** Sorts by text: first by the due time plus what the priority is worth, if it is. */
  private record Model(int maxCount, long maxBytes, int millisPerLevel, List<WaitingTrigger> rows) {

    Model(int maxCount, long maxBytes, int millisPerLevel) {
      this(maxCount, maxBytes, millisPerLevel, new ArrayList<>());
    }

    private String place(WaitingTrigger row) {
      long aged = millisPerLevel == 0 ? 0 : row.dueAt() + (long) row.priority() * millisPerLevel;
      return "%019d %03d %019d %019d".formatted(aged, row.priority(), row.dueAt(), row.id());
    }

    List<WaitingTrigger> offer(WaitingTrigger row) {
      if (contains(row.id())) {
        return List.of();
      }
      rows.add(row);
      rows.sort(Comparator.comparing(this::place));
      List<WaitingTrigger> left = new ArrayList<>();
      while (rows.size() > maxCount || (bytes() > maxBytes && rows.size() > 1)) {
        left.add(rows.remove(rows.size() - 1));
      }
      return left;
    }

    WaitingTrigger poll() {
      return rows.isEmpty() ? null : rows.remove(0);
    }

    boolean remove(long id) {
      return rows.removeIf(row -> row.id() == id);
    }

    boolean contains(long id) {
      return rows.stream().anyMatch(row -> row.id() == id);
    }

    long bytes() {
      return rows.stream().mapToLong(row -> 512 + 2L * row.params().bytes()).sum();
    }

    List<Long> ids() {
      return rows.stream().map(WaitingTrigger::id).toList();
    }
  }
}
