package io.millrace.torture.load;

import io.millrace.common.model.Job;
import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.OverlapPolicy;
import io.millrace.common.model.RetryPolicy;
import java.time.Duration;

/**
 * One job of the load, in a form that the oracle can compute with.
 *
 * @param nodeGroup who runs it
 * @param taskId fixed by the seed: a client that was killed submits it by the same one
 * @param timing when it fires
 * @param behaviour what its body does
 * @param retries attempts after the first one
 * @param overlap what becomes of a trigger while another one runs
 * @param misfire what becomes of instants that were missed
 * @param priority lower runs first
 */
public record LoadJob(
    String nodeGroup,
    String taskId,
    Timing timing,
    Behaviour behaviour,
    int retries,
    OverlapPolicy overlap,
    MisfirePolicy misfire,
    int priority) {
  /** Enough for every attempt that a run can cost a trigger. */
  static final int MANY_RETRIES = 50;

  /** The delay before the first retry: neither spread nor growing, so that a run can be judged. */
  public static final Duration RETRY_DELAY = Duration.ofMillis(300);

  static final String BEHAVIOUR = "behaviour";

  private static final MisfirePolicy ALL = MisfirePolicy.all().atMost(1_000);

  /** A job of which everything runs, however late, beside itself if need be. */
  static LoadJob of(String nodeGroup, String taskId, Timing timing, Behaviour behaviour) {
    return new LoadJob(
        nodeGroup,
        taskId,
        timing,
        behaviour,
        MANY_RETRIES,
        OverlapPolicy.ALLOW,
        ALL,
        Job.DEFAULT_PRIORITY);
  }

  LoadJob retries(int number) {
    return new LoadJob(nodeGroup, taskId, timing, behaviour, number, overlap, misfire, priority);
  }

  LoadJob overlap(OverlapPolicy policy) {
    return new LoadJob(nodeGroup, taskId, timing, behaviour, retries, policy, misfire, priority);
  }

  LoadJob misfire(MisfirePolicy policy) {
    return new LoadJob(nodeGroup, taskId, timing, behaviour, retries, overlap, policy, priority);
  }

  LoadJob priority(int number) {
    return new LoadJob(nodeGroup, taskId, timing, behaviour, retries, overlap, misfire, number);
  }

  LoadJob behaving(Behaviour other) {
    return new LoadJob(nodeGroup, taskId, timing, other, retries, overlap, misfire, priority);
  }

  /** Node group and task id: what clients, ledger and journals know it by. */
  public String key() {
    return nodeGroup + "/" + taskId;
  }

  /** Whether its starts tell how long nothing was dispatched. */
  public boolean isProbe() {
    return taskId.startsWith(RecurringLoad.PROBE);
  }

  /** Whether at most one trigger of the job runs at a time. */
  public boolean isExclusive() {
    return timing.isChained() || overlap.isExclusive();
  }

  /** What is submitted. */
  Job toJob(boolean replaceExisting) {
    Job.Builder job =
        Job.builder(nodeGroup, taskId)
            .param(BEHAVIOUR, behaviour.name())
            .retry(
                new RetryPolicy(
                    retries,
                    RETRY_DELAY,
                    RETRY_DELAY,
                    1.0,
                    0.0,
                    RetryPolicy.DEFAULT.nonRetryable()))
            .priority(priority)
            .replaceExisting(replaceExisting);
    timing.schedule(job);
    if (timing.isRecurring()) {
      job.misfire(misfire);
      if (overlap.isExclusive() || !timing.isChained()) {
        job.overlap(overlap);
      }
    }
    return job.build();
  }
}
