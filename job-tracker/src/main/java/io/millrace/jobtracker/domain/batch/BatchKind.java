package io.millrace.jobtracker.domain.batch;

/** What a run was split into. */
public enum BatchKind {
  /** A number of parts that the job says; each knows its number among them. */
  SHARDS,
  /** One part for each worker of the node group. */
  BROADCAST,
  /** Parts that the job's own handler made. */
  MAP
}
