package io.millrace.torture.oracle;

import java.util.List;

/**
 * The contents of the database.
 *
 * @param ledger the ended triggers, ordered by id
 * @param live the triggers that wait, execute, or were split and have not ended
 * @param jobs the definitions
 * @param dead the dead triggers, ordered by id
 */
record Tables(List<LedgerEntry> ledger, List<LiveRow> live, List<JobRow> jobs, List<DeadRow> dead) {

  Tables {
    ledger = List.copyOf(ledger);
    live = List.copyOf(live);
    jobs = List.copyOf(jobs);
    dead = List.copyOf(dead);
  }

  /** Returns whether no work is left. */
  boolean isQuiet() {
    return live.isEmpty() && jobs.stream().allMatch(JobRow::isOver);
  }
}
