package io.millrace.jobtracker.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the store answers, as far as this tracker's own transactions have shown. To look asks
 * nothing of the store itself. Thread-safe.
 */
@FunctionalInterface
public interface StoreHealth {
  /** Of a store that nobody watches. */
  StoreHealth UNWATCHED = Optional::empty;

  /** What is wrong with the store; empty while it answers, and writes. */
  Optional<Trouble> trouble();

  /** In which way a store is in trouble. */
  enum Symptom {
    SILENT("has not answered"),
    /** What it is asked it answers, and nothing can be kept: it is read-only, or its disk full. */
    REFUSES_WRITES("has refused to write");

    private final String text;

    Symptom(String text) {
      this.text = text;
    }
  }

  /**
   * A store that cannot keep anything now.
   *
   * @param lasting for how long
   * @param reason what it said last, or that it says nothing
   */
  record Trouble(Symptom symptom, Duration lasting, String reason) {
    @Override
    public String toString() {
      return "the store %s for %.1f s: %s"
          .formatted(symptom.text, lasting.toMillis() / 1000.0, reason);
    }
  }
}
