package io.millrace.console.alert.monitor;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages into words, for people. Text from jobs and workers is shown on one line, without
 * control characters.
 */
public final class AlertWords {
  private AlertWords() {}

  /** The message on one line. */
  public static String headline(AlertMessage message) {
    String about = message.nodeGroup() == null ? message.tracker() : message.nodeGroup();
    return oneLine(about + ": " + sentence(message));
  }

  /**
   * The whole message, line by line.
   *
   * @param undelivered earlier messages and events that its receiver has not received
   */
  public static List<String> lines(AlertMessage message, long undelivered) {
    List<String> lines = new ArrayList<>();
    lines.add(headline(message));
    if (message.phase() != AlertPhase.HAPPENED) {
      addIf(message.count() > 0, lines, counted(message));
    }
    addIf(message.spells() > 0 && message.count() > 0, lines, spells(message));
    for (AlertExample example : message.examples()) {
      lines.add("- " + oneLine(words(example)));
    }
    long more = message.count() - message.examples().size();
    addIf(!message.examples().isEmpty() && more > 0, lines, "- and " + more + " more");
    addIf(undelivered > 0, lines, undelivered + " alerts before this one could not be delivered");
    return lines;
  }

  private static void addIf(boolean worthIt, List<String> lines, String line) {
    if (worthIt) {
      lines.add(line);
    }
  }

  private static String sentence(AlertMessage message) {
    return switch (message.phase()) {
      case HAPPENED -> message.count() > 0 ? counted(message) : spells(message);
      case BEGAN -> standing(message, "");
      case GOES_ON -> standing(message, "still ") + ", since " + second(message.since());
      case OVER ->
          "over: %s; it lasted %s"
              .formatted(ended(message.kind()), time(lasting(message, message.until())));
      case LEFT ->
          "this tracker no longer watches the node group; the tracker that serves it now"
              + " reports if this continues: "
              + standing(message, "");
    };
  }

  private static String counted(AlertMessage message) {
    long count = message.count();
    String triggers = count == 1 ? "1 trigger" : count + " triggers";
    return switch (message.kind()) {
      case DEAD -> triggers + " ended DEAD";
      case LATE ->
          triggers
              + (count == 1 ? " was" : " were")
              + " assigned too late"
              + (message.worst() == null ? "" : ", by up to " + time(message.worst()));
      case TRACKER_GONE -> count == 1 ? "1 tracker is gone" : count + " trackers are gone";
      case NO_WORKER, TRACKER_TROUBLE -> count + " times";
    };
  }

  /** Describes what began and ended before it could be reported. */
  private static String spells(AlertMessage message) {
    return "%s; this happened %d times and is over, the last time %s"
        .formatted(
            standing(message, ""),
            message.spells(),
            message.until() == null ? "some time ago" : "until " + second(message.until()));
  }

  private static String standing(AlertMessage message, String still) {
    String backlog =
        message.backlog() == null || message.oldestAge() == null
            ? ""
            : " (%d are due, the oldest for %s)"
                .formatted(message.backlog(), time(message.oldestAge()));
    return switch (message.kind()) {
      case LATE -> "triggers " + still + "wait too long for a worker" + backlog;
      case NO_WORKER -> "no worker is " + still + "connected, and work is due" + backlog;
      case TRACKER_TROUBLE ->
          "this tracker is "
              + still
              + "not working"
              + (message.detail() == null ? "" : ": " + message.detail());
      case DEAD -> "triggers " + still + "end DEAD";
      case TRACKER_GONE -> "a tracker is " + still + "gone";
    };
  }

  private static String ended(AlertKind kind) {
    return switch (kind) {
      case LATE -> "no trigger waits too long any longer";
      case NO_WORKER -> "a worker is connected, or no work is due any longer";
      case TRACKER_TROUBLE -> "this tracker is working again";
      case DEAD, TRACKER_GONE -> "it has ended";
    };
  }

  private static Duration lasting(AlertMessage message, @Nullable Instant until) {
    return Duration.between(message.since(), until == null ? message.at() : until);
  }

  private static String words(AlertExample example) {
    return (example.taskId() == null ? "" : example.taskId() + " ")
        + "at "
        + second(example.at())
        + (example.message() == null ? "" : ": " + example.message());
  }

  private static String second(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A span of time in its two largest units: {@code 1h 3m}, {@code 45s}, {@code 0.3s}. */
  static String time(Duration span) {
    long seconds = span.toSeconds();
    if (seconds < 10) {
      return seconds + "." + span.toMillisPart() / 100 + "s";
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return span.toMinutes() + "m " + span.toSecondsPart() + "s";
    }
    return span.toHours() + "h " + span.toMinutesPart() + "m";
  }

  /** Keeps names of jobs and workers from starting a line or a header of their own. */
  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().map(letter -> isShown(letter) ? letter : ' ').forEach(line::appendCodePoint);
    return line.toString();
  }

  private static boolean isShown(int letter) {
    return switch (Character.getType(letter)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
