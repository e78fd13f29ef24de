package io.millrace.benchmarks.contender;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** What Quartz, which makes this by its name, runs. */
public final class QuartzJob implements Job {
  static final String PAYLOAD = "payload";

  @Override
  public void execute(JobExecutionContext context) {
    Runs.ran(context.getTrigger().getJobDataMap().getString(PAYLOAD));
  }
}
