package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim.Part;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that after a tracker was killed, stopped or frozen, another tracker serves each of its
 * node groups within the tracker lease plus two seconds. Measured with the jobs that fire ten times
 * a second, only for faults without another fault at the same time.
 */
final class DispatchCheck implements Check {
  private static final long BEYOND_LEASE_MILLIS = 2_000;

  @Override
  public void check(Records records, Findings findings) {
    long bound = records.faults().trackerLease().toMillis() + BEYOND_LEASE_MILLIS;
    Map<String, List<Long>> starts =
        records.runs().stream()
            .filter(run -> isProbe(records.jobs().get(run.key())))
            .collect(
                Collectors.groupingBy(
                    Run::nodeGroup, Collectors.mapping(Run::beganAt, Collectors.toList())));
    for (Fault fault : records.faults().all()) {
      if (isDeath(fault)) {
        starts.forEach((group, times) -> gap(fault, group, times, bound, records, findings));
      }
    }
  }

  private static boolean isProbe(@Nullable LoadJob job) {
    return job != null && job.isProbe();
  }

  private static boolean isDeath(Fault fault) {
    return fault.victim().part() == Part.TRACKER
        && switch (fault.kind()) {
          case KILL, FREEZE, RESTART -> true;
          // The tracker dies twice, or starts to hand over and does not finish.
          case START_CUT_SHORT, STOP_CUT_SHORT -> false;
          case CUT, BLACK_HOLE, HOLD, DELAY, STALL -> false;
        };
  }

  private static void gap(
      Fault fault,
      String group,
      List<Long> starts,
      long bound,
      Records records,
      Findings findings) {
    List<Long> sorted = starts.stream().sorted().toList();
    long from = 0;
    long longest = 0;
    for (int i = 1; i < sorted.size(); i++) {
      // Until the fault, another tracker had nothing to take over.
      long silentFrom = Math.max(sorted.get(i - 1), fault.beganAt());
      if (silentFrom < fault.beganAt() + bound && sorted.get(i) - silentFrom > longest) {
        from = silentFrom;
        longest = sorted.get(i) - silentFrom;
      }
    }
    if (longest == 0 || isDisturbed(fault, from + longest, bound, records.faults())) {
      return;
    }
    findings.gap(longest);
    findings.tally("gaps in dispatch that were judged");
    if (longest > bound) {
      findings.broken(
          Promise.STUCK,
          ("nothing was dispatched in %s for %d ms, from %s to %s, after %s of %s at %s; %d are"
                  + " allowed")
              .formatted(
                  group,
                  longest,
                  at(from),
                  at(from + longest),
                  fault.kind(),
                  fault.victim(),
                  at(fault.beganAt()),
                  bound));
    }
  }

  private static boolean isDisturbed(Fault fault, long until, long bound, Faults faults) {
    return faults.all().stream()
        .filter(other -> !other.equals(fault) && other.victim().part() != Part.CLIENT)
        .anyMatch(
            other ->
                other.beganAt() <= Math.min(until, fault.beganAt() + bound)
                    && other.healedAt() + bound >= fault.beganAt());
  }
}
