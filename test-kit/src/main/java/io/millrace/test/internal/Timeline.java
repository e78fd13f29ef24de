package io.millrace.test.internal;

import io.millrace.api.Explanation;
import io.millrace.test.JobAttempt;
import io.millrace.test.JobPart;
import io.millrace.test.JobRun;
import java.util.List;
import java.util.Objects;

/** Describes runs for the message of a failed assertion. */
public final class Timeline {
  private static final int MOST_RUNS = 40;
  private static final int MOST_RESULT_CHARS = 200;

  private Timeline() {}

  /** Returns a line for each run and each attempt; of many runs, the last ones. */
  public static String of(List<JobRun> runs) {
    StringBuilder text = new StringBuilder();
    if (runs.isEmpty()) {
      text.append("\n  no run");
    }
    if (runs.size() > MOST_RUNS) {
      text.append("\n  ").append(runs.size() - MOST_RUNS).append(" earlier runs");
    }
    runs.stream().skip(Math.max(0, runs.size() - MOST_RUNS)).forEach(run -> append(run, text));
    return text.toString();
  }

  private static void append(JobRun run, StringBuilder text) {
    text.append("\n  ").append(run.plannedFor());
    if (run.instants() > 1) {
      text.append(" and ").append(run.instants() - 1).append(" more");
    }
    text.append(' ').append(run.disposition() == null ? "has not ended" : run.disposition());
    if (run.cause() != null) {
      text.append(": ").append(run.cause());
    }
    append(run.attempts(), "\n    ", text);
    for (JobPart part : run.parts()) {
      text.append("\n    part ").append(part.number()).append(' ');
      text.append(part.disposition() == null ? "has not ended" : part.disposition());
      if (part.cause() != null) {
        text.append(": ").append(part.cause());
      }
      append(part.attempts(), "\n      ", text);
    }
  }

  private static void append(List<JobAttempt> attempts, String indent, StringBuilder text) {
    for (JobAttempt attempt : attempts) {
      text.append(indent).append("attempt ").append(attempt.number()).append(" on ");
      text.append(attempt.workerId()).append(": ");
      text.append(attempt.outcome() == null ? "no outcome" : attempt.outcome());
      text.append(attempt.startedAt() == null ? ", not begun" : " at " + attempt.startedAt());
      if (attempt.message() != null) {
        text.append(", ").append(attempt.message().lines().findFirst().orElse(""));
      }
      if (attempt.result() != null) {
        text.append(", result ").append(cut(attempt.result()));
      }
    }
  }

  private static String cut(String json) {
    return json.length() <= MOST_RESULT_CHARS ? json : json.substring(0, MOST_RESULT_CHARS) + "…";
  }

  /** Returns the facts of an explanation, a line each. */
  public static String of(Explanation explanation) {
    StringBuilder text = new StringBuilder();
    for (Explanation.Fact fact : explanation.facts()) {
      text.append("\n  ").append(Objects.toString(fact.at(), "-")).append(' ').append(fact.text());
    }
    return text.toString();
  }
}
