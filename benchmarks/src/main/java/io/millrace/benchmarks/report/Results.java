package io.millrace.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Collects the values and the failures of a run. Not thread-safe. */
public final class Results {
  /** How many of the last rounds of a measure count. */
  private static final int WARM_ROUNDS = 3;

  /** By which part rounds may differ that are called alike. */
  private static final double ALIKE = 0.1;

  private final Map<Key, List<Double>> values = new LinkedHashMap<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * A measured contender.
   *
   * @param name the name for people
   */
  public record Measured(String name, Role role) {}

  private record Key(String database, Measure measure, Measured contender) {}

  /** The failure of a contender to produce a value, and the reason. */
  public record Failure(String database, String what, String contender, String reason) {}

  /** Adds the value of one round. */
  public void add(String database, Measure measure, Measured contender, double value) {
    values
        .computeIfAbsent(new Key(database, measure, contender), unused -> new ArrayList<>())
        .add(value);
  }

  /** Records the failure of a contender's round. */
  public void failed(String database, String what, Measured contender, String reason) {
    failures.add(new Failure(database, what, contender.name(), reason));
  }

  /** Adds a note for the readers of the results. */
  public void note(String text) {
    notes.add(text);
  }

  /** Returns the spread of a contender's last rounds, which are warm; empty if it has none. */
  public Optional<Spread> spread(String database, Measure measure, Measured contender) {
    return Optional.ofNullable(values.get(new Key(database, measure, contender)))
        .map(rounds -> Spread.of(last(rounds)));
  }

  /** Returns whether a contender is warm: its last rounds differ by less than a tenth. */
  public boolean isSettled(String database, Measure measure, Measured contender) {
    return spread(database, measure, contender)
        .filter(last -> last.rounds() == WARM_ROUNDS && last.max() < last.min() * (1 + ALIKE))
        .isPresent();
  }

  private static List<Double> last(List<Double> rounds) {
    return rounds.subList(Math.max(0, rounds.size() - WARM_ROUNDS), rounds.size());
  }

  /** Returns the contenders with a value, in the order in which they were added. */
  public List<Measured> contenders(String database, Measure measure) {
    return values.keySet().stream()
        .filter(key -> key.database().equals(database) && key.measure() == measure)
        .map(Key::contender)
        .toList();
  }

  /** Returns the values of a contender, round by round; empty if it has none. */
  public List<Double> values(String database, Measure measure, Measured contender) {
    return List.copyOf(
        Objects.requireNonNullElse(
            values.get(new Key(database, measure, contender)), List.<Double>of()));
  }

  /** Returns the databases with any result, in order. */
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
