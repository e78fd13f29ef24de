package io.millrace.benchmarks.contender;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** The job that Quartz runs. Quartz creates this class by its name. */
public final class QuartzJob implements Job {
  static final String PAYLOAD = "payload";

  @Override
  public void execute(JobExecutionContext context) {
    Runs.ran(context.getTrigger().getJobDataMap().getString(PAYLOAD));
  }
}
