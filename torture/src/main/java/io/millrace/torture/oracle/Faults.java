package io.millrace.torture.oracle;

import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim;
import io.millrace.torture.nemesis.Victim.Part;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a run and what they can explain. Immutable.
 *
 * @param all the faults, in any order
 * @param trackerLease how long a tracker counts as alive after its last heartbeat
 * @param workerLease how long an execution counts as alive after its worker's last pull
 */
record Faults(List<Fault> all, Duration trackerLease, Duration workerLease) {
  /** The maximum time between the end of a lease and the scan that detects it. */
  private static final long SCAN_MILLIS = 5_000;

  private static final Pattern WORKER = Pattern.compile("worker-(\\d+)");

  Faults {
    all = List.copyOf(all);
  }

  /**
   * Returns the fault that explains why an execution of a worker was given up in this time: a fault
   * of the worker itself, otherwise of a wire, a tracker or the database. A fault explains only
   * until the leases that it broke have expired.
   *
   * @param worker the worker's id, or the name of its journal
   */
  Optional<Fault> explaining(@Nullable String worker, long from, long to) {
    int number = numberOf(worker);
    return all.stream()
        .filter(fault -> fault.beganAt() <= to && fault.healedAt() + aftermath() >= from)
        .filter(fault -> concerns(fault, number))
        .min(Comparator.comparingInt(Faults::distance).thenComparing(Fault::beganAt));
  }

  /** Returns a fault of the worker itself, or a stall of the machine, that overlaps this time. */
  Optional<Fault> hitting(@Nullable String worker, long from, long to) {
    int number = numberOf(worker);
    return all.stream()
        .filter(fault -> fault.beganAt() <= to && fault.healedAt() >= from)
        .filter(
            fault ->
                fault.victim().part() == Part.MACHINE
                    || fault.victim().equals(new Victim(Part.WORKER, number)))
        .findAny();
  }

  /**
   * Returns the restart of a tracker, if the owner of a node group at this time cannot have owned
   * it for so long: it took over after the restart began, a single tracker after it ended.
   */
  Optional<Fault> restartedWithin(long time, long millis) {
    boolean isSingle =
        all.stream()
            .filter(fault -> fault.victim().part() == Part.TRACKER)
            .allMatch(fault -> fault.victim().number() == 1);
    return all.stream()
        .filter(Faults::isRestart)
        .filter(fault -> fault.beganAt() <= time)
        .filter(fault -> (isSingle ? fault.healedAt() : fault.beganAt()) >= time - millis)
        .min(Comparator.comparingLong(Fault::beganAt));
  }

  private static boolean isRestart(Fault fault) {
    return fault.victim().part() == Part.TRACKER
        && (fault.kind() == Fault.Kind.KILL || fault.kind() == Fault.Kind.RESTART);
  }

  /** Returns the number of faults that the run injected. */
  int done() {
    return (int) all.stream().filter(fault -> fault.kind() != Fault.Kind.STALL).count();
  }

  /** Returns whether a freeze of the worker, or a stall of the machine, overlaps this time. */
  boolean wasFrozen(@Nullable String worker, long after, long before) {
    int number = numberOf(worker);
    return all.stream()
        .filter(
            fault ->
                fault.victim().part() == Part.MACHINE
                    || (fault.kind() == Fault.Kind.FREEZE
                        && fault.victim().equals(new Victim(Part.WORKER, number))))
        .anyMatch(fault -> fault.beganAt() <= before && fault.healedAt() >= after);
  }

  /**
   * Returns whether the process of a worker that was alive at one time had ended by another one: a
   * fault that heals with a new process began and healed between them.
   */
  boolean ended(@Nullable String worker, long aliveAt, long before) {
    Victim victim = new Victim(Part.WORKER, numberOf(worker));
    return all.stream()
        .filter(fault -> fault.victim().equals(victim) && replacesProcess(fault.kind()))
        .anyMatch(fault -> fault.beganAt() >= aliveAt && fault.healedAt() <= before);
  }

  private static boolean replacesProcess(Fault.Kind kind) {
    return switch (kind) {
      case KILL, RESTART, START_CUT_SHORT, STOP_CUT_SHORT -> true;
      case FREEZE, CUT, BLACK_HOLE, HOLD, DELAY, STALL -> false;
    };
  }

  private static boolean concerns(Fault fault, int worker) {
    return switch (fault.victim().part()) {
      case WORKER -> fault.victim().number() == worker;
      case CLIENT -> false;
      case TRACKER, TRACKER_LINK, DATABASE, DATABASE_LINK, MACHINE -> true;
    };
  }

  private static int distance(Fault fault) {
    return switch (fault.victim().part()) {
      case WORKER -> 0;
      case TRACKER_LINK -> 1;
      case TRACKER -> 2;
      case DATABASE_LINK -> 3;
      case DATABASE -> 4;
      case MACHINE -> 5;
      case CLIENT -> 6;
    };
  }

  private long aftermath() {
    return trackerLease.toMillis() + workerLease.toMillis() + SCAN_MILLIS;
  }

  private static int numberOf(@Nullable String worker) {
    Matcher matcher = WORKER.matcher(worker == null ? "" : worker);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /** Returns whether both names belong to the same worker, regardless of its start. */
  static boolean isSameWorker(@Nullable String one, @Nullable String other) {
    return numberOf(one) == numberOf(other);
  }
}
