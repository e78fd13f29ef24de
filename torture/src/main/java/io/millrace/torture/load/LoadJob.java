package io.millrace.torture.load;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job of the load, in a form that the oracle can evaluate.
 *
 * @param nodeGroup the node group that runs the job
 * @param taskId determined by the seed: a client that was killed submits the job with the same id
 * @param timing when the job fires
 * @param behaviour the behaviour of the job's invocation
 * @param retries the number of attempts after the first one
 * @param overlap what happens to a trigger while another one runs
 * @param misfire what happens to missed instants
 * @param priority the priority; lower values run first
 * @param splitting how its runs are split
 * @param label the label that its workers must have; null if any worker runs it
 * @param stickTo the key of the worker that should run it; null if there is none
 */
public record LoadJob(
    String nodeGroup,
    String taskId,
    Timing timing,
    Behaviour behaviour,
    int retries,
    OverlapPolicy overlap,
    MisfirePolicy misfire,
    int priority,
    Splitting splitting,
    @Nullable String label,
    @Nullable String stickTo) {
  /** Sufficient for every attempt that a run can cost a trigger. */
  static final int MANY_RETRIES = 50;

  /**
   * The delay before the first retry; without jitter or backoff, so that the oracle can check it.
   */
  public static final Duration RETRY_DELAY = Duration.ofMillis(300);

  static final String BEHAVIOUR = "behaviour";

  /** How many parts a handler makes in its first attempt, less one. */
  static final String MAPS = "maps";

  /** The handler that adds up what the parts of a run returned. */
  public static final String REDUCE = "reduce";

  /** The task id prefix of the jobs whose dead triggers an operator replays. */
  public static final String REPLAYED = "dies-";

  /** The parameters of replays: what died with the old ones succeeds with these. */
  public static final Map<String, String> PARAMS_OF_REPLAYS =
      Map.of(BEHAVIOUR, Behaviour.CHARGE_ONCE.name());

  private static final int FEW_RETRIES = 2;

  private static final MisfirePolicy ALL = MisfirePolicy.all().atMost(1_000);

  /** Creates a job whose triggers all run, however late, and concurrently if necessary. */
  static LoadJob of(String nodeGroup, String taskId, Timing timing, Behaviour behaviour) {
    return new LoadJob(
        nodeGroup,
        taskId,
        timing,
        behaviour,
        MANY_RETRIES,
        OverlapPolicy.ALLOW,
        ALL,
        Job.DEFAULT_PRIORITY,
        Splitting.NONE,
        null,
        null);
  }

  /** Returns a job that runs its step, and whose triggers die and are replayed. */
  static LoadJob dying(String nodeGroup, String name, Timing timing) {
    return of(nodeGroup, REPLAYED + name, timing, Behaviour.CHARGE_AND_DIE).retries(FEW_RETRIES);
  }

  LoadJob retries(int number) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, number, overlap, misfire, priority, splitting, label,
        stickTo);
  }

  LoadJob overlap(OverlapPolicy policy) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, policy, misfire, priority, splitting, label,
        stickTo);
  }

  LoadJob misfire(MisfirePolicy policy) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, overlap, policy, priority, splitting, label,
        stickTo);
  }

  LoadJob priority(int number) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, overlap, misfire, number, splitting, label,
        stickTo);
  }

  LoadJob behaving(Behaviour other) {
    return new LoadJob(
        nodeGroup, taskId, timing, other, retries, overlap, misfire, priority, splitting, label,
        stickTo);
  }

  /** Returns the job with runs that are split so. */
  LoadJob split(Splitting how) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, overlap, misfire, priority, how, label,
        stickTo);
  }

  /** Returns the job that only workers with this label run. */
  LoadJob on(String required) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, overlap, misfire, priority, splitting,
        required, stickTo);
  }

  /** Returns the job that the worker of this key should run. */
  LoadJob stickTo(String key) {
    return new LoadJob(
        nodeGroup, taskId, timing, behaviour, retries, overlap, misfire, priority, splitting, label,
        key);
  }

  /** Returns node group and task id, which identify the job for clients, ledger and journals. */
  public String key() {
    return nodeGroup + "/" + taskId;
  }

  /** Returns whether the oracle measures dispatch gaps with the starts of this job. */
  public boolean isProbe() {
    return taskId.startsWith(RecurringLoad.PROBE);
  }

  /** Returns whether at most one trigger of the job runs at a time. */
  public boolean isExclusive() {
    return timing.isChained() || overlap.isExclusive();
  }

  /** Converts this to the job to submit. */
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
    splitting.addTo(job);
    if (label != null) {
      job.on(label);
    }
    if (stickTo != null) {
      job.stickTo(stickTo);
    }
    if (timing.isRecurring()) {
      job.misfire(misfire);
      if (overlap.isExclusive() || !timing.isChained()) {
        job.overlap(overlap);
      }
    }
    return job.build();
  }
}
