package io.millrace.scripts.quickstart;

import io.millrace.api.TriggerResult;
import io.millrace.scripts.demo.Attempt;
import io.millrace.scripts.demo.AttemptListener;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints each ended attempt as a row of a table. Thread-safe. */
final class AttemptTable implements AttemptListener {
  private final PrintWriter out;
  private final DateTimeFormatter time;
  private final Map<String, String> kinds;

  AttemptTable(PrintWriter out, ZoneId zone, List<DemoJob> jobs) {
    this.out = out;
    this.time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(zone);
    this.kinds =
        jobs.stream().collect(Collectors.toMap(demo -> demo.job().taskId(), DemoJob::kind));
  }

  void printHeader() {
    print("TIME", "JOB", "KIND", "PLANNED", "STARTED", "LATE ms", "ATTEMPT", "WORKER", "OUTCOME");
  }

  @Override
  public void ended(Attempt attempt) {
    print(
        clock(attempt.endedAt()),
        attempt.taskId(),
        kinds.getOrDefault(attempt.taskId(), ""),
        clock(attempt.plannedFor()),
        clock(attempt.startedAt()),
        String.valueOf(attempt.lateness().toMillis()),
        attempt.number() + "/" + attempt.maxAttempts(),
        attempt.worker(),
        attempt.outcome());
  }

  /** Prints the feedback that the client received for a job. */
  void printFeedback(TriggerResult result, String client) {
    print(
        clock(result.finishedAt()),
        result.taskId(),
        "feedback",
        clock(result.plannedFor()),
        "",
        "",
        String.valueOf(result.attempt()),
        client,
        result.disposition().name());
  }

  private String clock(Instant instant) {
    return time.format(instant);
  }

  private void print(String... cells) {
    out.printf("%-12s  %-11s  %-18s  %-12s  %-12s  %8s  %7s  %-8s  %s%n", (Object[]) cells);
    out.flush();
  }
}
