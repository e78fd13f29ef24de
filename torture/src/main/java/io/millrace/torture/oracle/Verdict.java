package io.millrace.torture.oracle;

import java.util.List;

/**
 * What the oracle found.
 *
 * @param lost acknowledged jobs or planned triggers without an end
 * @param unexplainedDuplicates triggers that ran more than once without a fault that explains it
 * @param acceptedTwice executions of which two ends were accepted
 * @param early runs that began before their time
 * @param stuck what waits or executes though its time has long come
 * @param acked submits that were acknowledged
 * @param triggers triggers that ended
 * @param faults faults that were done
 * @param longestGapMillis the longest time without a dispatch after a tracker's death
 * @param sentences one for each thing that is wrong, naming it
 */
public record Verdict(
    int lost,
    int unexplainedDuplicates,
    int acceptedTwice,
    int early,
    int stuck,
    int acked,
    int triggers,
    int faults,
    long longestGapMillis,
    List<String> sentences) {

  public Verdict {
    sentences = List.copyOf(sentences);
  }

  /** Whether every promise was kept. */
  public boolean isClean() {
    return lost == 0
        && unexplainedDuplicates == 0
        && acceptedTwice == 0
        && early == 0
        && stuck == 0;
  }

  /** The last line of a run. */
  public String lastLine() {
    return "lost=%d unexplained_duplicates=%d accepted_twice=%d early=%d stuck=%d acked=%d triggers=%d faults=%d"
        .formatted(
            lost, unexplainedDuplicates, acceptedTwice, early, stuck, acked, triggers, faults);
  }
}
