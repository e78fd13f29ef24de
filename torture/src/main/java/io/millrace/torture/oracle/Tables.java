package io.millrace.torture.oracle;

import java.util.List;

/**
 * The contents of the database.
 *
 * @param ledger the ended triggers, ordered by id
 * @param live the waiting and executing triggers
 * @param jobs the definitions
 */
record Tables(List<LedgerEntry> ledger, List<LiveRow> live, List<JobRow> jobs) {

  Tables {
    ledger = List.copyOf(ledger);
    live = List.copyOf(live);
    jobs = List.copyOf(jobs);
  }

  /** Returns whether no work is left. */
  boolean isQuiet() {
    return live.isEmpty() && jobs.stream().allMatch(JobRow::isOver);
  }
}
