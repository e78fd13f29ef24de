package io.millrace.torture.oracle;

import java.util.List;

/**
 * What stands in the database.
 *
 * @param ledger in order of id
 * @param live what waits or executes
 * @param jobs definitions
 */
record Tables(List<LedgerEntry> ledger, List<LiveRow> live, List<JobRow> jobs) {

  Tables {
    ledger = List.copyOf(ledger);
    live = List.copyOf(live);
    jobs = List.copyOf(jobs);
  }

  /** Whether nothing is left to be done. */
  boolean isQuiet() {
    return live.isEmpty() && jobs.stream().allMatch(JobRow::isOver);
  }
}
