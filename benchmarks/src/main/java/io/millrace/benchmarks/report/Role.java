package io.millrace.benchmarks.report;

/** The role of a contender in the comparison. */
public enum Role {
  OURS,
  PEER,
  CEILING
}
