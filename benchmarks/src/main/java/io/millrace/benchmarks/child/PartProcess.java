package io.millrace.benchmarks.child;

import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.contender.Operated;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import java.time.Duration;

/** The proxy of a contender's part in this process. Every call may fail: see {@link ChildJvm}. */
public final class PartProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration MORE_PATIENCE = Duration.ofMinutes(10);

  private final ChildJvm jvm;

  public PartProcess(ChildJvm jvm) {
    this.jvm = jvm;
  }

  /** The runs so far. */
  public record Progress(int executed, int repeated, long firstMicros) {}

  /** The resources used: CPU time since the start of the process, and current heap. */
  public record Usage(long cpuMicros, long heapBytes) {}

  private JSONObject call(Order order, JSONObject values, Duration atMost) {
    return jvm.call(values.fluentPut("do", order.name()), atMost);
  }

  private JSONObject call(Order order) {
    return call(order, new JSONObject(), PATIENCE);
  }

  /** Opens the part and returns its address for other parts. */
  public String open(Place place) {
    return call(Order.OPEN, JSONObject.from(place), MORE_PATIENCE).getString("address");
  }

  /** Closes the part; it can be opened again. */
  public void closePart() {
    JSONObject unused = call(Order.CLOSE, new JSONObject(), MORE_PATIENCE);
  }

  /** Forgets earlier runs and expects jobs with numbers below this one. */
  public void begin(int jobs) {
    JSONObject unused = call(Order.BEGIN, JSONObject.of("jobs", jobs), PATIENCE);
  }

  /** Submits jobs; returns when all are acknowledged. */
  public Submitted submit(Submission submission) {
    return call(Order.SUBMIT, JSONObject.from(submission), MORE_PATIENCE).to(Submitted.class);
  }

  /** Submits jobs that run once a second; returns when all are acknowledged. */
  public void submitEverySecond(int jobs) {
    JSONObject unused = call(Order.SUBMIT_EVERY_SECOND, JSONObject.of("jobs", jobs), MORE_PATIENCE);
  }

  /** Submits jobs that run once a day; returns how long it took, in microseconds. */
  public long submitDaily(int jobs) {
    return call(Order.SUBMIT_DAILY, JSONObject.of("jobs", jobs), MORE_PATIENCE)
        .getLongValue("micros");
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

  /** Returns the lateness of the jobs with numbers in [from, to). */
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
   * Returns the resources used.
   *
   * @param collect whether to collect garbage before measuring the heap
   */
  public Usage usage(boolean collect) {
    return call(Order.USAGE, JSONObject.of("collect", collect), PATIENCE).to(Usage.class);
  }

  /** Returns the number that a query on its tables yields. */
  public long query(String sql) {
    return call(Order.QUERY, JSONObject.of("sql", sql), PATIENCE).getLongValue("number");
  }

  public void execute(String sql) {
    JSONObject unused = call(Order.EXECUTE, JSONObject.of("sql", sql), PATIENCE);
  }

  /** Returns the number of node groups that the part serves at this moment. */
  public int served() {
    return call(Order.SERVED).getIntValue("groups");
  }

  /** Returns where operators find the part's console. */
  public Operated.Console console() {
    return call(Order.CONSOLE).to(Operated.Console.class);
  }

  /** Ends the process at once, without a chance to close its part. */
  public void crash() {
    jvm.crash();
  }

  /** Ends the process. */
  public void end() {
    jvm.close();
  }
}
