package io.millrace.torture.oracle;

import java.util.List;

/**
 * The result of the oracle.
 *
 * @param lost acknowledged jobs or planned triggers that did not end, or ended without
 *     justification
 * @param unexplainedDuplicates invocations that began without a request and without a fault that
 *     explains it
 * @param acceptedTwice ended triggers, executions or submits that were accepted again
 * @param early invocations that began outside their permitted time
 * @param stuck triggers that wait or execute long after their time, and gaps in dispatch
 * @param acked the number of acknowledged submits
 * @param triggers the number of ended triggers
 * @param faults the number of injected faults
 * @param longestGapMillis the longest time without a dispatch after the death of a tracker
 * @param sentences one message for each violation
 * @param notes other counted events: explained duplicates, zombies
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

  /** Returns whether every promise was kept. */
  public boolean isClean() {
    return lost == 0
        && unexplainedDuplicates == 0
        && acceptedTwice == 0
        && early == 0
        && stuck == 0;
  }

  /** Returns the last line of a run's output. */
  public String lastLine() {
    return "lost=%d unexplained_duplicates=%d accepted_twice=%d early=%d stuck=%d acked=%d triggers=%d faults=%d"
        .formatted(
            lost, unexplainedDuplicates, acceptedTwice, early, stuck, acked, triggers, faults);
  }
}
