package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/**
 * Drives a head beside a simulated store, in any order that its callers can produce: a load reads
 * at some instant between its begin and its end, a claim commits before it is settled, rows come,
 * enter at their commit or some time later or are never told of, go, fall due and are missed
 * meanwhile, and a wake-up may get lost. Of what was missed nothing is handed out without a
 * decision that lets it run at that very millisecond.
 */
class WaitingHeadModelTest {

  @Property(tries = 2_000)
  void everyRowIsHandedOutOnceAndNoneIsForgotten(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 400) int steps,
      @ForAll @IntRange(min = 1, max = 6) int capacity,
      @ForAll @IntRange(min = 1, max = 4) int maxAhead) {
    World world = new World(new Random(seed), capacity, maxAhead);
    for (int step = 0; step < steps; step++) {
      world.step();
    }
    world.settleDown();
    assertThat(world.store).as("due in the store and never handed out").isEmpty();
  }

  private static final class World {
    private static final long LOOK_AHEAD = 5;
    private static final long THRESHOLD = 4;

    final Map<Long, WaitingTrigger> store = new TreeMap<>();
    private final Random random;
    private final int capacity;
    private final int maxAhead;
    private final WaitingHead head;
    private final Map<Long, Long> onWheel = new HashMap<>();
    private final Map<Long, WaitingTrigger> inClaim = new LinkedHashMap<>();
    private final Set<Long> committed = new HashSet<>();
    private final Map<Long, Long> ended = new HashMap<>();
    private long now;
    private long nextId = 1;
    private @Nullable LoadSession load;
    private @Nullable Snapshot read;
    private final List<WaitingTrigger> toEnter = new ArrayList<>();
    private final Map<Long, Long> mayRunUntil = new HashMap<>();

    private record Snapshot(List<WaitingTrigger> rows, boolean complete) {}

    World(Random random, int capacity, int maxAhead) {
      this.random = random;
      this.capacity = capacity;
      this.maxAhead = maxAhead;
      this.head =
          new WaitingHead(
              capacity, 1 << 20, maxAhead, Duration.ofMillis(THRESHOLD), PriorityOrder.STRICT);
    }

    void step() {
      switch (random.nextInt(14)) {
        case 13 -> enter();
        case 12 -> takeAhead();
        case 0, 1 -> insert();
        case 2 -> now += random.nextInt(3);
        case 3 -> anyOf(store.keySet()).ifPresent(store::remove);
        case 4 -> beginLoad();
        case 5 -> readForLoad();
        case 6 -> endLoad();
        case 7 -> wake();
        case 8, 9 -> take();
        case 10 -> commitOrPutBack();
        default -> settle();
      }
      assertThat(head.dueCount()).isLessThanOrEqualTo(capacity);
      assertThat(head.aheadCount()).isLessThanOrEqualTo(maxAhead);
    }

    private void insert() {
      long id = nextId++;
      int priority = random.nextInt(3);
      long dueAt = now - 2 + random.nextInt(10);
      WaitingTrigger row =
          random.nextBoolean()
              ? SampleTriggers.oneShot(id, priority, dueAt)
              : SampleTriggers.planned(id, priority, dueAt, nextAt(dueAt));
      store.put(id, row);
      switch (random.nextInt(3)) {
        case 0 -> enter(List.of(row));
        case 1 -> toEnter.add(row);
        default -> {}
      }
    }

    /** The next fire time may be due before the threshold has passed, or after. */
    private @Nullable Long nextAt(long dueAt) {
      return random.nextBoolean() ? null : (Long) (dueAt + 1 + random.nextInt(6));
    }

    /** Whoever committed them was held up. */
    private void enter() {
      enter(toEnter);
      toEnter.clear();
    }

    /** Nobody is held up until a row has been loaded, claimed and settled. */
    private void enter(List<WaitingTrigger> rows) {
      List<WaitingTrigger> live =
          rows.stream().filter(row -> !ended.containsKey(row.id())).toList();
      head.enter(live, now, now + LOOK_AHEAD)
          .forEach(
              row -> {
                assertThat(row.dueAt()).isGreaterThan(now);
                onWheel.put(row.id(), row.dueAt());
              });
    }

    private void beginLoad() {
      if (load == null) {
        load = random.nextBoolean() ? head.beginLoad() : head.beginRefill().orElse(null);
        read = null;
      }
    }

    /** As the pre-loader reads: due rows and rows ahead, in order, each up to its bound. */
    private void readForLoad() {
      if (load == null || read != null) {
        return;
      }
      List<WaitingTrigger> ordered = store.values().stream().sorted(PriorityOrder.STRICT).toList();
      SortKey behind = load.bounds().behind();
      List<WaitingTrigger> due =
          ordered.stream()
              .filter(row -> row.dueAt() <= now)
              .filter(row -> behind == null || PriorityOrder.STRICT.compare(row, behind) > 0)
              .limit(load.bounds().dueRows())
              .toList();
      List<WaitingTrigger> rows = new ArrayList<>(due);
      ordered.stream()
          .filter(row -> row.dueAt() > now && row.dueAt() <= now + LOOK_AHEAD)
          .limit(load.bounds().aheadRows())
          .forEach(rows::add);
      read = new Snapshot(rows, due.size() < load.bounds().dueRows());
    }

    private void endLoad() {
      if (load == null) {
        return;
      }
      if (read == null) {
        load.abandon();
      } else {
        decide(load, read.rows(), false);
        load.end(read.rows(), read.complete(), now)
            .forEach(
                row -> {
                  assertThat(row.dueAt()).isGreaterThan(now);
                  onWheel.put(row.id(), row.dueAt());
                });
      }
      load = null;
      read = null;
    }

    /** Some are skipped, some may run for a while, and some wait for the next load. */
    private void decide(LoadSession load, List<WaitingTrigger> rows, boolean allRun) {
      Set<Long> skipped = new HashSet<>();
      Map<Long, Long> run = new HashMap<>();
      for (WaitingTrigger row : load.undecided(rows, now)) {
        int choice = allRun ? 2 : random.nextInt(4);
        if (choice == 0 && store.remove(row.id()) != null) {
          skipped.add(row.id());
          ended.put(row.id(), now);
        } else if (choice >= 2) {
          run.put(row.id(), now + random.nextInt(5));
        }
      }
      mayRunUntil.putAll(run);
      load.decided(skipped, run);
    }

    /** The wheel: hands a row over when it is due, or loses it. */
    private void wake() {
      anyOf(onWheel.keySet())
          .filter(id -> onWheel.get(id) <= now)
          .ifPresent(
              id -> {
                onWheel.remove(id);
                if (random.nextInt(3) > 0) {
                  head.fallDue(now);
                }
              });
    }

    private void take() {
      taken(head.takeForClaim(now, now), now);
    }

    private void takeAhead() {
      taken(head.takeForClaim(now, now + 3), now + 3);
    }

    private void taken(@Nullable WaitingTrigger taken, long until) {
      if (taken != null) {
        assertThat(taken.dueAt()).as("handed out before its time").isLessThanOrEqualTo(until);
        assertThat(
                taken.isMissable()
                    && isMissed(taken)
                    && mayRunUntil.getOrDefault(taken.id(), Long.MIN_VALUE) < now)
            .as("missed, and handed out without a decision")
            .isFalse();
        assertThat(ended).as("handed out after its outcome").doesNotContainKey(taken.id());
        assertThat(inClaim.put(taken.id(), taken)).as("handed out twice").isNull();
      }
    }

    private boolean isMissed(WaitingTrigger trigger) {
      Long nextAt = trigger.nextAt();
      return trigger.plannedFor() < now - THRESHOLD || (nextAt != null && nextAt <= now);
    }

    private void commitOrPutBack() {
      anyOf(inClaim.keySet())
          .filter(id -> !committed.contains(id))
          .ifPresent(
              id -> {
                if (random.nextInt(3) == 0) {
                  inClaim.remove(id);
                  head.putBack(List.of(id), now).forEach(dueAt -> onWheel.put(id, dueAt));
                } else {
                  store.remove(id);
                  committed.add(id);
                }
              });
    }

    private void settle() {
      anyOf(committed).ifPresent(this::settle);
    }

    private void settle(long id) {
      committed.remove(id);
      inClaim.remove(id);
      ended.put(id, now);
      head.settle(List.of(id));
    }

    /** Loads and claims go on as they do in a tracker; no wake-up is needed. */
    void settleDown() {
      endLoad();
      now += 1_000;
      onWheel.clear();
      for (long id : List.copyOf(inClaim.keySet())) {
        store.remove(id);
        settle(id);
      }
      for (int round = 0; round < 1_000 && !store.isEmpty(); round++) {
        load = head.beginLoad();
        readForLoad();
        if (read != null) {
          decide(load, read.rows(), true);
        }
        endLoad();
        take();
        for (long id : List.copyOf(inClaim.keySet())) {
          store.remove(id);
          settle(id);
        }
      }
    }

    private Optional<Long> anyOf(Set<Long> ids) {
      return ids.isEmpty()
          ? Optional.empty()
          : ids.stream().sorted().skip(random.nextInt(ids.size())).findFirst();
    }
  }
}
