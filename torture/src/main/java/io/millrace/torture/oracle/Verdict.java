package io.millrace.torture.oracle;

import java.util.List;

/**
 * What the oracle found.
 *
 * @param lost acknowledged jobs or planned triggers without an end, or with one that nothing
 *     justifies
 * @param unexplainedDuplicates bodies that began without having been asked for, and without a fault
 *     that explains it
 * @param acceptedTwice triggers, executions or submits that were over and were taken in once more
 * @param early bodies that began outside their time
 * @param stuck what waits or executes though its time has long come, and gaps in dispatch
 * @param acked submits that were acknowledged
 * @param triggers triggers that ended
 * @param faults faults that were done
 * @param longestGapMillis the longest time without a dispatch after a tracker's death
 * @param sentences one for each thing that is wrong, naming it
 * @param notes what else was counted: explained duplicates, zombies
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
    List<String> sentences,
    List<String> notes) {

  public Verdict {
    sentences = List.copyOf(sentences);
    notes = List.copyOf(notes);
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
