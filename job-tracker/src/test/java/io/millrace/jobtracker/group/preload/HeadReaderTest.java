package io.millrace.jobtracker.group.preload;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.LoadSession;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.SortKey;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.store.WaitingStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Held against a list of all rows that is sorted anew for every reading. */
class HeadReaderTest {
  private static final long NOW = 10_000;
  private static final Duration LOOK_AHEAD = Duration.ofMillis(50);

  private final List<WaitingTrigger> rows = new ArrayList<>();
  private int statements;
  private int rowsRead;

  @Property
  void headHoldsTheFirstDueRowsInOrderAndTheEarliestAhead(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int count,
      @ForAll @IntRange(min = 1, max = 40) int priorities,
      @ForAll @IntRange(max = 60) int millisPerLevel,
      @ForAll @IntRange(min = 1, max = 120) int maxDue,
      @ForAll @IntRange(min = 1, max = 120) int maxAhead) {
    fill(new Random(seed), count, priorities);
    PriorityOrder order =
        millisPerLevel == 0
            ? PriorityOrder.STRICT
            : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    HeadReader reader = new HeadReader("orders", 0, store(), order, LOOK_AHEAD);

    HeadReader.Head head = reader.read(NOW, new LoadSession.Bounds(maxDue, maxAhead));

    List<WaitingTrigger> due =
        rows.stream().filter(row -> row.dueAt() <= NOW).sorted(order).toList();
    List<WaitingTrigger> ahead =
        rows.stream()
            .filter(row -> row.dueAt() > NOW && row.dueAt() <= NOW + LOOK_AHEAD.toMillis())
            .sorted(WaitingHead.BY_TIME)
            .toList();
    assertThat(head.rows().stream().filter(row -> row.dueAt() <= NOW))
        .containsExactlyElementsOf(due.subList(0, Math.min(maxDue, due.size())));
    List<WaitingTrigger> aheadRead = head.rows().stream().filter(row -> row.dueAt() > NOW).toList();
    if (due.size() < maxDue) {
      assertThat(head.isComplete()).isTrue();
      assertThat(aheadRead)
          .containsExactlyElementsOf(ahead.subList(0, Math.min(maxAhead, ahead.size())));
    } else {
      assertThat(head.isComplete()).isFalse();
      assertThat(ahead).containsAll(aheadRead);
      assertThat(aheadRead).hasSizeLessThanOrEqualTo(maxAhead);
    }
    assertCost(order, priorities, maxDue, maxAhead);
  }

  @Property
  void refillHoldsTheFirstDueRowsBehindWhereMemoryEnds(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int count,
      @ForAll @IntRange(min = 1, max = 20) int priorities,
      @ForAll @IntRange(max = 60) int millisPerLevel,
      @ForAll @IntRange(min = 1, max = 120) int maxDue) {
    Random random = new Random(seed);
    fill(random, count, priorities);
    PriorityOrder order =
        millisPerLevel == 0
            ? PriorityOrder.STRICT
            : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    SortKey end =
        new SortKey(
            random.nextInt(priorities), NOW - random.nextInt(500), random.nextInt(count + 1));
    HeadReader reader = new HeadReader("orders", 0, store(), order, LOOK_AHEAD);

    HeadReader.Head head = reader.read(NOW, new LoadSession.Bounds(maxDue, 100, end));

    List<WaitingTrigger> behind =
        rows.stream()
            .filter(row -> row.dueAt() <= NOW && order.compare(row, end) > 0)
            .sorted(order)
            .toList();
    assertThat(head.rows().stream().filter(row -> row.dueAt() <= NOW))
        .containsExactlyElementsOf(behind.subList(0, Math.min(maxDue, behind.size())));
    assertThat(head.isComplete()).isEqualTo(behind.size() < maxDue);
    assertCost(order, priorities, maxDue, 100);
  }

  /** Many rows at one instant and of one priority: none before the end of memory is read again. */
  @Test
  void refillReadsNoRowThatIsBeforeWhereMemoryEnds() {
    for (int id = 0; id < 1_000; id++) {
      rows.add(SampleTriggers.oneShot(id, 100, id < 900 ? NOW - 5 : NOW));
    }
    HeadReader reader = new HeadReader("orders", 0, store(), PriorityOrder.STRICT, LOOK_AHEAD);

    HeadReader.Head head =
        reader.read(NOW, new LoadSession.Bounds(200, 100, SortKey.of(rows.get(799))));

    assertThat(head.rows()).containsExactlyElementsOf(rows.subList(800, 1_000));
    assertThat(head.isComplete()).isFalse();
    assertThat(rowsRead).isEqualTo(200);
    assertThat(statements).isEqualTo(2);
  }

  /** One step for each priority, one read for each, and some more of those that have the most. */
  private void assertCost(PriorityOrder order, int priorities, int maxDue, int maxAhead) {
    int firstReads = order.isStrict() ? maxDue : Math.max(32, maxDue / priorities);
    assertThat(rowsRead)
        .isLessThanOrEqualTo(priorities * Math.min(firstReads, maxDue) + 6 * (maxDue + maxAhead));
    assertThat(statements).isLessThanOrEqualTo(1 + 2 * priorities + 4 * (maxDue + maxAhead));
  }

  private void fill(Random random, int count, int priorities) {
    rows.clear();
    statements = 0;
    rowsRead = 0;
    for (int id = 0; id < count; id++) {
      int priority = random.nextInt(priorities);
      long dueAt =
          switch (random.nextInt(4)) {
            case 0 -> NOW + 1 + random.nextInt(100);
            case 1 -> NOW;
            case 2 -> random.nextBoolean() ? WaitingTrigger.HELD : NOW + 40;
            default -> NOW - random.nextInt(500);
          };
      rows.add(SampleTriggers.oneShot(id, priority, dueAt));
    }
    rows.sort(
        Comparator.comparingInt(WaitingTrigger::priority)
            .thenComparingLong(WaitingTrigger::dueAt)
            .thenComparingLong(WaitingTrigger::id));
  }

  private WaitingStore store() {
    return (WaitingStore)
        Proxy.newProxyInstance(
            WaitingStore.class.getClassLoader(),
            new Class<?>[] {WaitingStore.class},
            (proxy, method, arguments) -> {
              statements++;
              return switch (method.getName()) {
                case "nextLevel" -> nextLevel((int) arguments[1]);
                case "readDue" ->
                    readDue(
                        (int) arguments[1],
                        (long) arguments[2],
                        (long) arguments[3],
                        (int) arguments[4]);
                case "readDueAt" ->
                    readDueAt(
                        (int) arguments[1],
                        (long) arguments[2],
                        (long) arguments[3],
                        (int) arguments[4]);
                default -> throw new UnsupportedOperationException(method.getName());
              };
            });
  }

  private Optional<WaitingStore.Level> nextLevel(int above) {
    return rows.stream()
        .filter(row -> row.priority() > above)
        .findFirst()
        .map(row -> new WaitingStore.Level(row.priority(), row.dueAt()));
  }

  private List<WaitingTrigger> readDueAt(int priority, long dueAt, long aboveId, int limit) {
    List<WaitingTrigger> read =
        rows.stream()
            .filter(row -> row.priority() == priority)
            .filter(row -> row.dueAt() == dueAt && row.id() > aboveId)
            .limit(limit)
            .toList();
    rowsRead += read.size();
    return read;
  }

  private List<WaitingTrigger> readDue(int priority, long after, long until, int limit) {
    List<WaitingTrigger> read =
        rows.stream()
            .filter(row -> row.priority() == priority)
            .filter(row -> row.dueAt() > after && row.dueAt() <= until)
            .limit(limit)
            .toList();
    rowsRead += read.size();
    return read;
  }
}
