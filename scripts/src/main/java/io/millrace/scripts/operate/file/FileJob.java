package io.millrace.scripts.operate.file;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.Schedule;
import io.millrace.api.TraceContext;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.console.api.job.JobForm;
import io.millrace.console.api.job.JobSchedule;
import io.millrace.console.api.job.NewJob;
import io.millrace.console.api.job.OverlapRule;
import io.millrace.internal.codec.Flattened;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.values.JsonText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stands in a file: in the form in which the API takes a new one, without what belongs
 * to one request only.
 */
record FileJob(String nodeGroup, String taskId, JobSchedule schedule, @Flattened JobForm form) {
  private static final JsonCodec CODEC = new JsonCodec();
  private static final Set<String> ALWAYS_WRITTEN = Set.of("nodeGroup", "taskId", "schedule");

  /** Those of which a part may be left out, which then has its default. */
  private static final Set<String> WRITTEN_IN_PART = Set.of("retry", "misfire");

  private static final String OVERLAP = "overlap";
  private static final String ON_WORKER_LOST = "onWorkerLost";

  Key key() {
    return new Key(nodeGroup, taskId);
  }

  /**
   * Returns the job that this describes.
   *
   * @throws io.millrace.console.http.ProblemException if its fields contradict one another
   */
  Job toJob() {
    return new NewJob(nodeGroup, taskId, schedule, form, null, null).toJob(null);
  }

  /** Returns a job with every field that holds for it, defaults included: equal jobs are equal. */
  static FileJob whole(Job job) {
    boolean recurring = job.schedule().isRecurring();
    TraceContext trace = job.trace();
    return new FileJob(
        job.nodeGroup(),
        job.taskId(),
        JobSchedule.of(inMillis(job.schedule())),
        new JobForm(
            new TreeMap<>(job.params()),
            job.priority(),
            job.handler(),
            job.retry(),
            job.timeout(),
            recurring ? OverlapRule.of(job.overlapOrDefault()) : null,
            recurring ? misfire(job) : null,
            job.isChained() && !(job.schedule() instanceof Schedule.FixedDelay),
            job.shards(),
            job.broadcast(),
            job.broadcast() && job.onWorkerLost() == null
                ? WorkerLossPolicy.SKIP
                : job.onWorkerLost(),
            job.reduce(),
            job.onPartFailure() == null ? PartFailurePolicy.FINISH : job.onPartFailure(),
            job.within(),
            trace == null ? null : trace.traceParent(),
            trace == null ? null : trace.traceState(),
            job.requires(),
            job.stickTo()));
  }

  private static MisfirePolicy misfire(Job job) {
    return job.misfire() == null ? MisfirePolicy.DEFAULT : job.misfire();
  }

  /** The tracker keeps the instant of a one-shot in milliseconds. */
  private static Schedule inMillis(Schedule schedule) {
    if (schedule instanceof Schedule.Once once) {
      Instant at = once.at();
      return new Schedule.Once(at == null ? null : at.truncatedTo(ChronoUnit.MILLIS), once.after());
    }
    return schedule;
  }

  /** Returns a job as a file has it: without the fields that have their defaults. */
  static Json written(Job job) {
    FileJob whole = whole(job);
    Job plain = new FileJob(whole.nodeGroup, whole.taskId, whole.schedule, nothing()).toJob();
    Map<String, Json> defaults = new LinkedHashMap<>(fields(whole(plain)));
    if (job.schedule().isRecurring()) {
      OverlapPolicy overlap = OverlapPolicy.defaultOf(job.isChained(), misfire(job));
      defaults.put(OVERLAP, Json.parse(CODEC.encodeText(OverlapRule.of(overlap))));
    }
    if (job.broadcast()) {
      defaults.put(ON_WORKER_LOST, Json.parse(JsonText.quote(WorkerLossPolicy.SKIP.name())));
    }
    Map<String, Json> written = new LinkedHashMap<>();
    fields(whole)
        .forEach(
            (name, value) -> {
              Json rest = ALWAYS_WRITTEN.contains(name) ? value : rest(name, value, defaults);
              if (rest != null) {
                written.put(name, rest);
              }
            });
    return new Json.Fields(written);
  }

  private static JobForm nothing() {
    return CODEC.decodeText("{}", JobForm.class);
  }

  /** What a field needs to have this value; null if it is the default. */
  private static @Nullable Json rest(String name, Json value, Map<String, Json> defaults) {
    Json usual = defaults.get(name);
    if (value.equals(usual)) {
      return null;
    }
    if (WRITTEN_IN_PART.contains(name)
        && value instanceof Json.Fields whole
        && usual instanceof Json.Fields usually) {
      Map<String, Json> part = new LinkedHashMap<>(whole.values());
      part.entrySet().removeAll(usually.values().entrySet());
      return new Json.Fields(part);
    }
    return value;
  }

  /** Returns each single value of a job, by the path that leads to it. */
  static Map<String, String> values(Job job) {
    Map<String, String> values = new TreeMap<>();
    new Json.Fields(fields(whole(job))).leaves("", values::put);
    return values;
  }

  private static Map<String, Json> fields(FileJob whole) {
    return ((Json.Fields) Json.parse(CODEC.encodeText(whole))).values();
  }
}
