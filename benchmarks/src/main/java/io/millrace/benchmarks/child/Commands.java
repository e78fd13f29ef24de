package io.millrace.benchmarks.child;

import com.alibaba.fastjson2.JSONObject;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.benchmarks.contender.Daily;
import io.millrace.benchmarks.contender.EverySecond;
import io.millrace.benchmarks.contender.Operated;
import io.millrace.benchmarks.contender.Part;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Runs;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.contender.Submitter;
import io.millrace.benchmarks.contender.Tables;
import io.millrace.benchmarks.contender.Workers;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The commands that a contender's process can execute. Not thread-safe. */
final class Commands {
  private final Part part;

  Commands(Part part) {
    this.part = part;
  }

  JSONObject run(JSONObject command) throws Exception {
    String name = command.getString("do").toUpperCase(Locale.ROOT);
    return switch (Order.valueOf(name)) {
      case OPEN -> JSONObject.of("address", part.open(command.to(Place.class)));
      case CLOSE -> close();
      case BEGIN -> begin(command.getIntValue("jobs"));
      case SUBMIT -> submit(command.to(Submission.class));
      case SUBMIT_EVERY_SECOND -> submitEverySecond(command.getIntValue("jobs"));
      case SUBMIT_DAILY -> submitDaily(command.getIntValue("jobs"));
      case START -> start();
      case STOP -> stop();
      case PROGRESS -> progress();
      case LATENESS -> lateness(command.getIntValue("from"), command.getIntValue("to"));
      case UNFINISHED ->
          JSONObject.of("rows", as(Tables.class).unfinished(command.getLongValue("dueBefore")));
      case FINISHED -> JSONObject.of("rows", as(Tables.class).finished());
      case USAGE -> usage(command.getBooleanValue("collect"));
      case QUERY ->
          JSONObject.of("number", as(Tables.class).view().number(command.getString("sql")));
      case EXECUTE -> execute(command.getString("sql"));
      case SERVED -> JSONObject.of("groups", as(Operated.class).served());
      case CONSOLE -> JSONObject.from(as(Operated.class).console());
    };
  }

  private <T extends Part> T as(Class<T> ability) {
    if (!ability.isInstance(part)) {
      throw new IllegalArgumentException(
          part.getClass().getSimpleName() + " has no " + ability.getSimpleName());
    }
    return ability.cast(part);
  }

  private JSONObject close() throws Exception {
    part.close();
    return new JSONObject();
  }

  private static JSONObject begin(int jobs) {
    Runs.begin(jobs);
    return new JSONObject();
  }

  private JSONObject submit(Submission submission) throws Exception {
    Submitted submitted = SubmissionRun.run(as(Submitter.class), submission);
    return JSONObject.of("count", submitted.count(), "micros", submitted.micros());
  }

  private JSONObject submitEverySecond(int jobs) throws Exception {
    as(EverySecond.class).submitEverySecond(jobs);
    return new JSONObject();
  }

  private JSONObject submitDaily(int jobs) throws Exception {
    long begin = WallClock.nanoTime();
    as(Daily.class).submitDaily(jobs);
    return JSONObject.of("micros", TimeUnit.NANOSECONDS.toMicros(WallClock.nanoTime() - begin));
  }

  private JSONObject start() throws Exception {
    as(Workers.class).startWorkers();
    return new JSONObject();
  }

  private JSONObject stop() throws Exception {
    as(Workers.class).stopWorkers();
    return new JSONObject();
  }

  private static JSONObject progress() {
    Runs runs = Runs.current();
    return JSONObject.of(
        "executed", runs.executed(),
        "repeated", runs.repeated(),
        "firstMicros", runs.firstMicros());
  }

  private static JSONObject lateness(int from, int to) {
    return JSONObject.from(Percentiles.ofMicros(Runs.current().lateMicros(from, to)));
  }

  /**
   * Returns the CPU time since the start of the process, and the heap in use, after a collection if
   * requested.
   */
  private static JSONObject usage(boolean collect) {
    if (collect) {
      System.gc();
    }
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return JSONObject.of(
        "cpuMicros", TimeUnit.NANOSECONDS.toMicros(system.getProcessCpuTime()),
        "heapBytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  private JSONObject execute(String sql) throws Exception {
    as(Tables.class).view().execute(sql);
    return new JSONObject();
  }
}
