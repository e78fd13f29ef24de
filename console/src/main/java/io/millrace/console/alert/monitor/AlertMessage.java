package io.millrace.console.alert.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message, the same for every receiver.
 *
 * @param id unique over all trackers; the same however often the message is sent
 * @param kind what the message is about
 * @param phase what the message says about it
 * @param nodeGroup null if the message is about no node group
 * @param tracker address of the tracker that sends the message
 * @param at when the message was written
 * @param since when the condition began, or when the first event happened
 * @param until when the condition last held, or when the last event happened; null if the condition
 *     still holds
 * @param count how many triggers ended DEAD or were handed out late, or how many trackers are gone,
 *     since the previous message
 * @param spells how often the condition began and ended unreported, because too little time had
 *     passed since the previous message
 * @param worst lateness of the latest trigger that was handed out late; otherwise null
 * @param backlog due triggers that wait; null if they were not counted
 * @param oldestAge for how long the first of them has been due
 * @param detail further information
 * @param examples the first of what is counted, or of the waiting triggers; at most as many as the
 *     rules say
 */
public record AlertMessage(
    String id,
    AlertKind kind,
    AlertPhase phase,
    @Nullable String nodeGroup,
    String tracker,
    Instant at,
    Instant since,
    @Nullable Instant until,
    long count,
    long spells,
    @Nullable Duration worst,
    @Nullable Long backlog,
    @Nullable Duration oldestAge,
    @Nullable String detail,
    List<AlertExample> examples) {

  public AlertMessage {
    examples = List.copyOf(examples);
  }

  /** Returns this message with the given examples. */
  AlertMessage withExamples(List<AlertExample> named) {
    return new AlertMessage(
        id, kind, phase, nodeGroup, tracker, at, since, until, count, spells, worst, backlog,
        oldestAge, detail, named);
  }
}
