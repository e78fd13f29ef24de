package io.millrace.benchmarks.report;

/** What a contender is in the comparison. */
public enum Role {
  OURS,
  PEER,
  CEILING
}
