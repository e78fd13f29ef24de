package io.millrace.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** All values of a run as they come in, and what went wrong. Not thread-safe. */
public final class Results {
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * Who was measured.
   *
   * @param name for people
   */
  public record Measured(String name, Role role) {}

  private record Key(String database, Measure measure, Measured contender) {}

  /** That a contender did not come to a value, and why. */
  public record Failure(String database, String what, String contender, String reason) {}

  /** Adds the value of one round. */
  public void add(String database, Measure measure, Measured contender, double value) {
    values
        .computeIfAbsent(new Key(database, measure, contender), unused -> new ArrayList<>())
        .add(value);
  }

  /** Says that a round of a contender failed. */
  public void failed(String database, String what, Measured contender, String reason) {
    failures.add(new Failure(database, what, contender.name(), reason));
  }

  /** Says something that a reader of the figures should know. */
  public void note(String text) {
    notes.add(text);
  }

  /** What a contender's rounds gave, if it had any. */
  public Optional<Spread> spread(String database, Measure measure, Measured contender) {
    return Optional.ofNullable(values.get(new Key(database, measure, contender))).map(Spread::of);
  }

  /** Who has a value, in the order in which they came. */
  public List<Measured> contenders(String database, Measure measure) {
    return values.keySet().stream()
        .filter(key -> key.database().equals(database) && key.measure() == measure)
        .map(Key::contender)
        .toList();
  }

  /** The values of a contender, round by round; none if it had no round. */
  public List<Double> values(String database, Measure measure, Measured contender) {
    return List.copyOf(
        Objects.requireNonNullElse(
            values.get(new Key(database, measure, contender)), List.<Double>of()));
  }

  /** The databases of which there is anything, in order. */
  public Collection<String> databases() {
    return values.keySet().stream().map(Key::database).distinct().toList();
  }

  public List<Failure> failures() {
    return List.copyOf(failures);
  }

  public List<String> notes() {
    return List.copyOf(notes);
  }
}
