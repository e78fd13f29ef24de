package io.millrace.torture.nemesis;

import io.millrace.torture.nemesis.Fault.Kind;
import io.millrace.torture.nemesis.Victim.Part;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Decides by a seed what is done to whom and when. Faults are dealt like cards, so that even a
 * short run meets most kinds. At most two overlap, and never two on one victim; all are healed by
 * the end. Equal seeds, lengths and shapes give equal plans.
 */
public final class FaultPlan {
  private static final long FIRST_AT = 3_000;

  /** When every job has begun to fire: a gap has two ends. */
  private static final long ALONE_AT = 6_000;

  private static final int LANES = 2;

  /** For what the first fault leads to after the lease. */
  private static final long ALONE_AFTER = 2_000;

  /**
   * What there is to be hurt.
   *
   * @param parts how many of each part; a part that is left out is not hurt
   * @param trackerLease some faults last longer than it, most shorter
   * @param workerLease likewise
   */
  public record Shape(Map<Part, Integer> parts, Duration trackerLease, Duration workerLease) {
    public Shape {
      parts = Map.copyOf(parts);
    }
  }

  private record Card(Kind kind, Part part) {}

  private final Random random;
  private final Shape shape;
  private final long end;
  private final Deque<Card> deck = new ArrayDeque<>();
  private final Map<Part, Integer> nextNumber = new EnumMap<>(Part.class);
  private final Map<Victim, Long> busyUntil = new HashMap<>();

  private FaultPlan(long seed, Duration length, Shape shape) {
    this.random = new Random(seed);
    this.end = length.toMillis();
    this.shape = shape;
  }

  /** The faults of a run, in order of time. */
  public static List<PlannedFault> of(long seed, Duration length, Shape shape) {
    return new FaultPlan(seed, length, shape).deal();
  }

  private List<PlannedFault> deal() {
    List<PlannedFault> faults = new ArrayList<>();
    long[] freeAt = new long[LANES];
    aloneFirst().ifPresent(faults::add);
    for (int lane = 0; lane < LANES; lane++) {
      freeAt[lane] = firstAt(faults) + random.nextInt(3_000);
    }
    int lane = 0;
    while (freeAt[lane] < end) {
      Card card = draw();
      Victim victim = victim(card.part());
      long at = Math.max(freeAt[lane], busyUntil.getOrDefault(victim, 0L));
      long lasts = millis(card);
      boolean oneWay = random.nextInt(3) == 0;
      if (at + lasts <= end) {
        faults.add(
            new PlannedFault(
                card.kind(), victim, Duration.ofMillis(at), Duration.ofMillis(lasts), oneWay));
        busyUntil.put(victim, at + lasts + 500);
      }
      freeAt[lane] = at + lasts + 300 + random.nextInt(2_000);
      lane = earliest(freeAt);
    }
    faults.sort(Comparator.comparing(PlannedFault::at));
    return faults;
  }

  /**
   * One tracker of several dies while all else is well, and comes back only when another has taken
   * over: what shows how long that takes.
   */
  private Optional<PlannedFault> aloneFirst() {
    long lasts = shape.trackerLease().toMillis() * 3 / 2;
    if (shape.parts().getOrDefault(Part.TRACKER, 0) < 2 || ALONE_AT + lasts > end) {
      return Optional.empty();
    }
    return Optional.of(
        new PlannedFault(
            Kind.KILL,
            victim(Part.TRACKER),
            Duration.ofMillis(ALONE_AT),
            Duration.ofMillis(lasts),
            false));
  }

  private long firstAt(List<PlannedFault> before) {
    return before.isEmpty()
        ? FIRST_AT
        : before.get(0).healedAt().plus(shape.trackerLease()).toMillis() + ALONE_AFTER;
  }

  private static int earliest(long[] freeAt) {
    int earliest = 0;
    for (int lane = 1; lane < freeAt.length; lane++) {
      if (freeAt[lane] < freeAt[earliest]) {
        earliest = lane;
      }
    }
    return earliest;
  }

  private Card draw() {
    if (deck.isEmpty()) {
      List<Card> cards = new ArrayList<>();
      deal(cards, Part.TRACKER, Kind.KILL, 4);
      deal(cards, Part.TRACKER, Kind.FREEZE, 2);
      deal(cards, Part.TRACKER, Kind.RESTART, 1);
      deal(cards, Part.WORKER, Kind.KILL, 3);
      deal(cards, Part.WORKER, Kind.FREEZE, 2);
      deal(cards, Part.WORKER, Kind.RESTART, 1);
      deal(cards, Part.CLIENT, Kind.KILL, 1);
      deal(cards, Part.CLIENT, Kind.RESTART, 1);
      deal(cards, Part.DATABASE, Kind.KILL, 2);
      deal(cards, Part.DATABASE, Kind.FREEZE, 1);
      deal(cards, Part.DATABASE, Kind.RESTART, 1);
      deal(cards, Part.DATABASE_LINK, Kind.CUT, 1);
      deal(cards, Part.DATABASE_LINK, Kind.BLACK_HOLE, 1);
      deal(cards, Part.DATABASE_LINK, Kind.HOLD, 1);
      deal(cards, Part.DATABASE_LINK, Kind.DELAY, 1);
      deal(cards, Part.TRACKER_LINK, Kind.CUT, 1);
      deal(cards, Part.TRACKER_LINK, Kind.BLACK_HOLE, 1);
      deal(cards, Part.TRACKER_LINK, Kind.HOLD, 1);
      deal(cards, Part.TRACKER_LINK, Kind.DELAY, 1);
      if (cards.isEmpty()) {
        throw new IllegalArgumentException("there is nothing to be hurt");
      }
      Collections.shuffle(cards, random);
      deck.addAll(cards);
    }
    return deck.pop();
  }

  private void deal(List<Card> cards, Part part, Kind kind, int count) {
    if (shape.parts().getOrDefault(part, 0) > 0) {
      cards.addAll(Collections.nCopies(count, new Card(kind, part)));
    }
  }

  /** In turn, so that none is spared, from a number that the seed decides. */
  private Victim victim(Part part) {
    int count = shape.parts().getOrDefault(part, 1);
    int number = nextNumber.computeIfAbsent(part, p -> random.nextInt(count));
    nextNumber.put(part, (number + 1) % count);
    return new Victim(part, number + 1);
  }

  private long millis(Card card) {
    return switch (card.kind()) {
      case KILL, RESTART -> between(200, 3_000);
      case DELAY -> between(2_000, 6_000);
      case FREEZE, CUT, BLACK_HOLE, HOLD -> between(500, longest(card.part()));
    };
  }

  /** Now and then what is silent is taken for dead. */
  private long longest(Part part) {
    return switch (part) {
      case WORKER -> shape.workerLease().toMillis() * 8 / 5;
      case TRACKER, DATABASE_LINK, TRACKER_LINK -> shape.trackerLease().toMillis() * 2;
      case CLIENT, DATABASE -> 4_000;
    };
  }

  private long between(long least, long most) {
    return least + random.nextInt((int) (most - least) + 1);
  }
}
