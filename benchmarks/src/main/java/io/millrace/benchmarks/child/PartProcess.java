package io.millrace.benchmarks.child;

import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import java.time.Duration;

/** A part of a contender, as this process sees it. Every call may fail: see {@link ChildJvm}. */
public final class PartProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration MORE_PATIENCE = Duration.ofMinutes(10);

  private final ChildJvm jvm;

  public PartProcess(ChildJvm jvm) {
    this.jvm = jvm;
  }

  /** What has run. */
  public record Progress(int executed, int repeated, long firstMicros) {}

  /** What it has used: CPU time since the process began, and heap now. */
  public record Usage(long cpuMicros, long heapBytes) {}

  private JSONObject call(Order order, JSONObject values, Duration atMost) {
    return jvm.call(values.fluentPut("do", order.name()), atMost);
  }

  private JSONObject call(Order order) {
    return call(order, new JSONObject(), PATIENCE);
  }

  /** Opens it, and returns where others reach it. */
  public String open(Place place) {
    return call(Order.OPEN, JSONObject.from(place), PATIENCE).getString("address");
  }

  /** Closes it; it can be opened again. */
  public void closePart() {
    JSONObject unused = call(Order.CLOSE);
  }

  /** Forgets what has run, and expects jobs with numbers below this one. */
  public void begin(int jobs) {
    JSONObject unused = call(Order.BEGIN, JSONObject.of("jobs", jobs), PATIENCE);
  }

  /** Submits; returns when all is acknowledged. */
  public Submitted submit(Submission submission) {
    return call(Order.SUBMIT, JSONObject.from(submission), MORE_PATIENCE).to(Submitted.class);
  }

  /** Submits jobs that run once a second; returns when all are acknowledged. */
  public void submitEverySecond(int jobs) {
    JSONObject unused = call(Order.SUBMIT_EVERY_SECOND, JSONObject.of("jobs", jobs), MORE_PATIENCE);
  }

  public void startWorkers() {
    JSONObject unused = call(Order.START);
  }

  public void stopWorkers() {
    JSONObject unused = call(Order.STOP);
  }

  public Progress progress() {
    return call(Order.PROGRESS).to(Progress.class);
  }

  /** Of the jobs with these numbers, the second not included. */
  public Percentiles lateness(int from, int to) {
    return call(Order.LATENESS, JSONObject.of("from", from, "to", to), PATIENCE)
        .to(Percentiles.class);
  }

  public long unfinished(long dueBefore) {
    return call(Order.UNFINISHED, JSONObject.of("dueBefore", dueBefore), PATIENCE)
        .getLongValue("rows");
  }

  public long finished() {
    return call(Order.FINISHED).getLongValue("rows");
  }

  /**
   * What it has used.
   *
   * @param collect whether garbage is collected before the heap is looked at
   */
  public Usage usage(boolean collect) {
    return call(Order.USAGE, JSONObject.of("collect", collect), PATIENCE).to(Usage.class);
  }

  /** The number that a query on its tables gives. */
  public long query(String sql) {
    return call(Order.QUERY, JSONObject.of("sql", sql), PATIENCE).getLongValue("number");
  }

  public void execute(String sql) {
    JSONObject unused = call(Order.EXECUTE, JSONObject.of("sql", sql), PATIENCE);
  }

  /** Ends the process. */
  public void end() {
    jvm.close();
  }
}
