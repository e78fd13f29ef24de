package io.millrace.internal.protocol;

import io.millrace.api.JobFilter;
import io.millrace.api.JobPage;

/** Lists the live jobs of a node group. Changes nothing. */
public record ListRequest(JobFilter filter) implements Request<JobPage> {}
