package io.millrace.jobtracker.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message, whoever it goes to.
 *
 * @param id unique over all trackers; the same however often it is sent
 * @param kind what it is about
 * @param phase what it says of that
 * @param nodeGroup null where it is about no node group
 * @param tracker address of the tracker that says it
 * @param at when it was written
 * @param since when it began, or first happened
 * @param until when it last was so; null if it goes on
 * @param count how many triggers ended DEAD or were handed out late, or trackers are gone, since
 *     the message before
 * @param spells how often it began and ended without being told, because too little time had passed
 *     since the message before
 * @param worst of what was handed out late, by how much the latest was; otherwise null
 * @param backlog due triggers that wait; null where that was not asked
 * @param oldestAge for how long the first of them has been due
 * @param detail what is known beside that
 * @param examples the first of what is counted, or of what waits; at most as many as the rules say
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

  /** The same with these examples. */
  AlertMessage withExamples(List<AlertExample> named) {
    return new AlertMessage(
        id, kind, phase, nodeGroup, tracker, at, since, until, count, spells, worst, backlog,
        oldestAge, detail, named);
  }
}
