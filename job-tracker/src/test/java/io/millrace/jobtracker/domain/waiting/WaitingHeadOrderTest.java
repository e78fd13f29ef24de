package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * Due rows that are committed enter a head whose store holds more than memory does, in whatever
 * order loads, refills, claims and commits come: no row is handed out while one that sorts before
 * it waits in the store, and what is left to the store is asked for.
 */
class WaitingHeadOrderTest {

  @Property(tries = 3_000)
  void noRowOvertakesOneInTheStoreAndNoneIsForgotten(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 300) int steps,
      @ForAll @IntRange(min = 2, max = 8) int capacity,
      @ForAll @IntRange(max = 5) int millisPerLevel) {
    PriorityOrder order =
        millisPerLevel == 0
            ? PriorityOrder.STRICT
            : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    World world = new World(new Random(seed), capacity, order);
    for (int step = 0; step < steps; step++) {
      world.step();
    }
    world.drain();
  }

  private static final class World {
    private final Map<Long, WaitingTrigger> store = new HashMap<>();
    private final Map<Long, WaitingTrigger> inClaim = new HashMap<>();
    private final Random random;
    private final PriorityOrder order;
    private final WaitingHead head;
    private long now = 100;
    private long nextId = 1;
    private @Nullable LoadSession load;
    private @Nullable List<WaitingTrigger> read;

    World(Random random, int capacity, PriorityOrder order) {
      this.random = random;
      this.order = order;
      this.head = new WaitingHead(capacity, 1 << 20, 10, Duration.ofMinutes(1), order);
    }

    void step() {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> insert();
        case 3 -> now += random.nextInt(3);
        case 4 -> beginLoad();
        case 5 -> readForLoad();
        case 6 -> endLoad();
        case 7, 8 -> take();
        default -> settleOrPutBack();
      }
    }

    private void insert() {
      List<WaitingTrigger> rows = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        WaitingTrigger row =
            SampleTriggers.oneShot(nextId++, random.nextInt(3), now - random.nextInt(5));
        store.put(row.id(), row);
        rows.add(row);
      }
      assertThat(head.enter(rows, now, now)).isEmpty();
    }

    private void beginLoad() {
      if (load == null) {
        load = random.nextBoolean() ? head.beginLoad() : head.beginRefill().orElse(null);
        read = null;
      }
    }

    private void readForLoad() {
      if (load != null && read == null) {
        SortKey behind = load.bounds().behind();
        read =
            store.values().stream()
                .filter(row -> behind == null || order.compare(row, behind) > 0)
                .sorted(order)
                .limit(load.bounds().dueRows())
                .toList();
      }
    }

    private void endLoad() {
      if (load == null) {
        return;
      }
      if (read == null) {
        load.abandon();
      } else {
        load.end(read, read.size() < load.bounds().dueRows(), now);
      }
      load = null;
      read = null;
    }

    private @Nullable WaitingTrigger take() {
      WaitingTrigger taken = head.takeForClaim(now, now);
      if (taken != null) {
        assertThat(store).as("has had its outcome").containsKey(taken.id());
        assertThat(inClaim.put(taken.id(), taken)).as("handed out twice").isNull();
        assertThat(store.values())
            .as("what waits in the store, and what goes before it")
            .noneMatch(row -> !inClaim.containsKey(row.id()) && order.compare(row, taken) < 0);
      }
      return taken;
    }

    private void settleOrPutBack() {
      inClaim.keySet().stream()
          .findAny()
          .ifPresent(
              id -> {
                inClaim.remove(id);
                if (random.nextInt(3) == 0) {
                  assertThat(head.putBack(List.of(id), now)).isEmpty();
                } else {
                  store.remove(id);
                  head.settle(List.of(id));
                }
              });
    }

    /** Loads come only when they are wanted. */
    void drain() {
      endLoad();
      while (!inClaim.isEmpty()) {
        settleOrPutBack();
      }
      while (!store.isEmpty()) {
        WaitingTrigger taken = take();
        if (taken == null) {
          assertThat(head.wantsLoad()).as("rows are left in the store alone").isTrue();
          load = head.beginRefill().orElseThrow();
          readForLoad();
          endLoad();
        } else {
          store.remove(taken.id());
          inClaim.remove(taken.id());
          head.settle(List.of(taken.id()));
        }
      }
    }
  }
}
