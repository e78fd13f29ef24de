package io.millrace.scripts.option;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.scripts.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the overlap and misfire policies of jobs that run more than once. */
public final class PolicyOptions {

  @Option(
      names = "--overlap",
      paramLabel = "POLICY",
      description =
          "What happens to a run while another one of the job is in progress: skip, queue:N"
              + " (it waits; at most N wait), or allow (both run). Default: skip, with --misfire"
              + " all queue:CAP.")
  private @Nullable OverlapPolicy overlap;

  @Option(
      names = "--misfire",
      paramLabel = "POLICY",
      description =
          "Which of the missed fire times still run: none, latest or"
              + " all[,window=DUR][,cap=N][,after-pause]; the maximum age, the maximum number, and"
              + " whether those of a pause count. latest allows a window and after-pause too."
              + " Default: latest,window=1h: one run, no matter how many were missed.")
  private @Nullable MisfirePolicy misfire;

  /**
   * Applies the policies to the job.
   *
   * @throws BadInputException if the job runs once
   */
  public void applyTo(Job.Builder job, boolean recurring) {
    if (overlap != null) {
      requireRecurring(recurring, "--overlap");
      job.overlap(overlap);
    }
    if (misfire != null) {
      requireRecurring(recurring, "--misfire");
      job.misfire(misfire);
    }
  }

  private static void requireRecurring(boolean recurring, String option) {
    BadInputException.unless(
        recurring, option + " is allowed only with --cron, --every or --fixed-delay");
  }
}
