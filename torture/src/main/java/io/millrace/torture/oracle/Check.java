package io.millrace.torture.oracle;

/** One way to hold the records of a run against one another. Stateless. */
interface Check {
  void check(Records records, Findings findings);
}
