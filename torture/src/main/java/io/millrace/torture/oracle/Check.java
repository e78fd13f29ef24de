package io.millrace.torture.oracle;

/** A check that compares the records of a run. Stateless. */
interface Check {
  void check(Records records, Findings findings);
}
