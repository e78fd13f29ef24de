package io.millrace.console.api.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of recurring jobs in order of node group and task id. It may hold fewer than asked for, or
 * none, and yet have a next one: a search looks at a bounded number of jobs.
 */
public record JobPage(List<JobRow> items, @Nullable String next) {}
