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
import java.util.Random;

/**
 * Plans the faults of a run from a seed. Faults are drawn from a shuffled deck, so that even a
 * short run contains most kinds. At most two faults overlap, and never two on one victim or on two
 * nodes of the database; all are healed by the end. Each part is stopped in order about as often as
 * it is killed. Equal seeds, lengths and shapes give equal plans.
 */
public final class FaultPlan {
  private static final long FIRST_AT = 3_000;

  /** Every job has begun to fire by this time, which measuring a dispatch gap requires. */
  private static final long ALONE_AT = 6_000;

  private static final int LANES = 2;

  /** More than the start of a tracker takes. */
  private static final int START_MILLIS = 3_000;

  private static final long SHORTEST_REST_MILLIS = 500;

  /**
   * The time for which an only tracker is left alone after a fault, so that it can do some work.
   */
  private static final long WORK_MILLIS = 5_000;

  /** The time that a node of a cluster needs to rejoin. */
  private static final long REJOIN_MILLIS = 12_000;

  /**
   * The longest freeze of a node of a cluster; the other nodes evict it after five seconds of
   * silence.
   */
  private static final long EVICTED_MILLIS = 9_000;

  private static final Victim ALL_DATABASES = new Victim(Part.DATABASE, 0);

  /** The time for the consequences of the first fault after the lease. */
  private static final long ALONE_AFTER = 2_000;

  /**
   * The parts that can be affected.
   *
   * @param parts the number of each part; a missing part is not affected
   * @param trackerLease the trackers' lease; some faults last longer, most are shorter
   * @param workerLease the workers' lease; some faults last longer, most are shorter
   */
  public record Shape(Map<Part, Integer> parts, Duration trackerLease, Duration workerLease) {
    public Shape {
      parts = Map.copyOf(parts);
    }
  }

  /**
   * A card of the deck.
   *
   * @param kinds the candidates; the one that its part has met least is used
   * @param whileTrackersStart whether a tracker is stopped first, and the fault occurs while it
   *     restarts
   */
  private record Card(Part part, List<Kind> kinds, boolean whileTrackersStart) {}

  /** A kind of fault that was chosen for a part. */
  private record Choice(Part part, Kind kind) {}

  private static final List<Kind> END = List.of(Kind.KILL, Kind.RESTART);

  private final Random random;
  private final Shape shape;
  private final long end;
  private final Deque<Card> deck = new ArrayDeque<>();
  private final Map<Part, Integer> nextNumber = new EnumMap<>(Part.class);
  private final Map<Victim, Long> busyUntil = new HashMap<>();
  private final Map<Choice, Integer> met = new HashMap<>();
  private final List<PlannedFault> faults = new ArrayList<>();

  private FaultPlan(long seed, Duration length, Shape shape) {
    this.random = new Random(seed);
    this.end = length.toMillis();
    this.shape = shape;
  }

  /** Returns the faults of a run, ordered by time. */
  public static List<PlannedFault> of(long seed, Duration length, Shape shape) {
    return new FaultPlan(seed, length, shape).plan();
  }

  private List<PlannedFault> plan() {
    long[] freeAt = new long[LANES];
    aloneFirst();
    long firstAt = firstAt();
    for (int lane = 0; lane < LANES; lane++) {
      freeAt[lane] = firstAt + random.nextInt(3_000);
    }
    int lane = 0;
    while (freeAt[lane] < end) {
      Card card = draw();
      long from = freeAt[lane];
      if (card.whileTrackersStart()) {
        // The fault ends when the tracker is started.
        from = add(new Card(Part.TRACKER, END, false), from) + random.nextInt(START_MILLIS);
      }
      freeAt[lane] = add(card, from) + 300 + random.nextInt(2_000);
      lane = earliest(freeAt);
    }
    faults.sort(Comparator.comparing(PlannedFault::at));
    return faults;
  }

  /** Adds a fault unless it would be healed after the end of the run; returns when it is healed. */
  private long add(Card card, long from) {
    Kind kind = leastMet(card);
    Victim victim = victim(card.part());
    Victim busy = card.part() == Part.DATABASE ? ALL_DATABASES : victim;
    long at = Math.max(from, busyUntil.getOrDefault(busy, 0L));
    double moment = moment(kind);
    boolean oneWay = random.nextInt(3) == 0;
    PlannedFault fault =
        new PlannedFault(
            kind, victim, Duration.ofMillis(at), millis(kind, card.part()), oneWay, moment);
    long healedAt = fault.healedAt().toMillis();
    if (healedAt <= end) {
      faults.add(fault);
      met.merge(new Choice(card.part(), kind), 1, Integer::sum);
      busyUntil.put(busy, healedAt + rest(card.part()));
    }
    return healedAt;
  }

  /** Returns how long a victim is left alone after it is healed. */
  private long rest(Part part) {
    boolean isOnlyTracker = part == Part.TRACKER && shape.parts().getOrDefault(part, 0) == 1;
    return isCluster(part) ? REJOIN_MILLIS : isOnlyTracker ? WORK_MILLIS : SHORTEST_REST_MILLIS;
  }

  /**
   * Returns a random moment. A stop is cut short late more often than early, because files are
   * closed last.
   */
  private double moment(Kind kind) {
    double any = random.nextDouble();
    return kind == Kind.STOP_CUT_SHORT ? Math.sqrt(any) : any;
  }

  private boolean isCluster(Part part) {
    return part == Part.DATABASE && shape.parts().getOrDefault(part, 0) > 1;
  }

  private Kind leastMet(Card card) {
    List<Kind> kinds = new ArrayList<>(card.kinds());
    Collections.shuffle(kinds, random);
    return Collections.min(
        kinds, Comparator.comparing(kind -> met.getOrDefault(new Choice(card.part(), kind), 0)));
  }

  /**
   * Plans the kill of one of several trackers without other faults. The tracker is restarted only
   * after another one has taken over, so that the duration of the takeover can be measured.
   */
  private void aloneFirst() {
    long lasts = shape.trackerLease().toMillis() * 3 / 2;
    if (shape.parts().getOrDefault(Part.TRACKER, 0) < 2 || ALONE_AT + lasts > end) {
      return;
    }
    met.put(new Choice(Part.TRACKER, Kind.KILL), 1);
    faults.add(
        new PlannedFault(
            Kind.KILL,
            victim(Part.TRACKER),
            Duration.ofMillis(ALONE_AT),
            Duration.ofMillis(lasts),
            false,
            0));
  }

  private long firstAt() {
    return faults.isEmpty()
        ? FIRST_AT
        : faults.get(0).healedAt().plus(shape.trackerLease()).toMillis() + ALONE_AFTER;
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
      ends(cards, Part.TRACKER, 6);
      addTo(cards, Part.TRACKER, Kind.STOP_CUT_SHORT, 2);
      addTo(cards, Part.TRACKER, Kind.START_CUT_SHORT, 2);
      addTo(cards, Part.TRACKER, Kind.FREEZE, 2);
      ends(cards, Part.WORKER, 4);
      addTo(cards, Part.WORKER, Kind.STOP_CUT_SHORT, 1);
      addTo(cards, Part.WORKER, Kind.FREEZE, 2);
      ends(cards, Part.CLIENT, 2);
      addTo(cards, Part.CLIENT, Kind.STOP_CUT_SHORT, 1);
      ends(cards, Part.DATABASE, 4);
      addTo(cards, Part.DATABASE, Kind.STOP_CUT_SHORT, 1);
      addTo(cards, Part.DATABASE, Kind.FREEZE, 2);
      for (Part link : List.of(Part.DATABASE_LINK, Part.TRACKER_LINK)) {
        addTo(cards, link, Kind.CUT, 1);
        addTo(cards, link, Kind.BLACK_HOLE, 1);
        addTo(cards, link, Kind.HOLD, 1);
        addTo(cards, link, Kind.DELAY, 1);
      }
      if (cards.isEmpty()) {
        throw new IllegalArgumentException("there is no possible target of a fault");
      }
      Collections.shuffle(cards, random);
      deck.addAll(cards);
    }
    return deck.pop();
  }

  private void addTo(List<Card> cards, Part part, Kind kind, int count) {
    addTo(cards, new Card(part, List.of(kind), false), count);
  }

  /**
   * Adds kills and restarts, for a database including one while a tracker first reads its tables.
   */
  private void ends(List<Card> cards, Part part, int count) {
    int whileTrackersStart = part == Part.DATABASE ? 1 : 0;
    addTo(cards, new Card(part, END, true), whileTrackersStart);
    addTo(cards, new Card(part, END, false), count - whileTrackersStart);
  }

  private void addTo(List<Card> cards, Card card, int count) {
    if (shape.parts().getOrDefault(card.part(), 0) > 0) {
      cards.addAll(Collections.nCopies(count, card));
    }
  }

  /**
   * Selects the victims in turn, so that each is affected, starting at a number determined by the
   * seed.
   */
  private Victim victim(Part part) {
    int count = shape.parts().getOrDefault(part, 1);
    int number = nextNumber.computeIfAbsent(part, p -> random.nextInt(count));
    nextNumber.put(part, (number + 1) % count);
    return new Victim(part, number + 1);
  }

  private Duration millis(Kind kind, Part part) {
    return Duration.ofMillis(
        switch (kind) {
          case KILL, RESTART, STOP_CUT_SHORT -> between(200, 3_000);
          case START_CUT_SHORT -> between(200, 1_000);
          case DELAY -> between(2_000, 6_000);
          case FREEZE, CUT, BLACK_HOLE, HOLD, STALL -> between(500, longest(part));
        });
  }

  /** Returns the longest duration, which sometimes makes a silent part count as dead. */
  private long longest(Part part) {
    return switch (part) {
      case WORKER -> shape.workerLease().toMillis() * 8 / 5;
      case TRACKER, DATABASE_LINK, TRACKER_LINK -> shape.trackerLease().toMillis() * 2;
      case DATABASE -> isCluster(part) ? EVICTED_MILLIS : 4_000;
      case CLIENT, MACHINE -> 4_000;
    };
  }

  private long between(long least, long most) {
    return least + random.nextInt((int) (most - least) + 1);
  }
}
