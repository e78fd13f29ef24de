package io.millrace.console.api.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of recurring jobs, ordered by node group and task id. A page may hold fewer items than the
 * limit, or none, although a next page exists: a search examines a bounded number of jobs.
 */
public record JobPage(List<JobRow> items, @Nullable String next) {}
