package io.millrace.jobclient;

import io.millrace.api.Declaration;
import io.millrace.api.Job;
import io.millrace.api.TraceContext;
import io.millrace.jobclient.internal.wiring.JobClientConfig;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is done to a job before it is sent. Thread-safe. */
final class OutgoingJobs {
  private final JobClientConfig config;
  private final Supplier<@Nullable TraceContext> currentTrace;

  OutgoingJobs(JobClientConfig config, Supplier<@Nullable TraceContext> currentTrace) {
    this.config = config;
    this.currentTrace = currentTrace;
  }

  /** Checks a job, and makes it part of the current trace if it names none. */
  Job prepare(Job job) {
    check(job);
    if (job.trace() != null) {
      return job;
    }
    TraceContext current = currentTrace.get();
    return current == null ? job : job.withTrace(current);
  }

  List<Job> prepareAll(Collection<Job> jobs) {
    return jobs.stream().map(this::prepare).toList();
  }

  /** Checks each job of a declaration. They get no trace: each start would declare another one. */
  Declaration check(Declaration declaration) {
    declaration.jobs().forEach(this::check);
    return declaration;
  }

  /**
   * Checks that a job with feedback has a client group. There is no default group, because several
   * applications would share it and receive each other's results.
   */
  private void check(Job job) {
    if (Objects.requireNonNull(job, "job").feedback()) {
      config.requireClientGroup(
          "job " + job.nodeGroup() + "/" + job.taskId() + " asks for feedback");
    }
  }
}
