package io.millrace.benchmarks.scale;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.benchmarks.contender.MillraceTables;
import io.millrace.jobclient.JobClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Jobs that fire once a minute, ten in each node group, spread over the minute. */
final class RecurringJobs {
  private static final int JOBS = 10;
  private static final int SECONDS = 60;

  /** The number of node groups in one call: each of them is given a table. */
  private static final int GROUPS_OF_CALL = 10;

  /** Tables are slow to make on a slow disk. */
  private static final Duration ANSWER = Duration.ofMinutes(2);

  private RecurringJobs() {}

  /** Submits the jobs of this number of node groups, which need not exist. */
  static void submit(String tracker, int groups) {
    try (JobClient client = JobClient.builder().trackers(tracker).requestTimeout(ANSWER).build()) {
      for (int from = 0; from < groups; from += GROUPS_OF_CALL) {
        List<Job> jobs = new ArrayList<>();
        for (int group = from; group < Math.min(groups, from + GROUPS_OF_CALL); group++) {
          for (int number = 0; number < JOBS; number++) {
            jobs.add(job(group, number));
          }
        }
        client.submitAll(jobs).forEach(RecurringJobs::requireAccepted);
      }
    }
  }

  private static Job job(int group, int number) {
    int second = (group + number * (SECONDS / JOBS)) % SECONDS;
    return Job.builder(MillraceTables.group(group), "every-minute-" + number)
        .cron(second + " * * * * ?")
        .build();
  }

  private static void requireAccepted(SubmitResult result) {
    if (result.status() != SubmitStatus.ACCEPTED) {
      throw new IllegalStateException("a job was not accepted: " + result);
    }
  }
}
