package io.millrace.jobtracker.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the store answers, judged by this tracker's own transactions. The check does not query
 * the store. Thread-safe.
 */
@FunctionalInterface
public interface StoreHealth {
  /** The health of a store that is not watched. */
  StoreHealth UNWATCHED = Optional::empty;

  /** Returns the trouble of the store; empty while it answers and accepts writes. */
  Optional<Trouble> trouble();

  /** The kind of trouble. */
  enum Symptom {
    SILENT("has not answered"),
    /** It answers but cannot store anything: it is read-only, or its disk is full. */
    REFUSES_WRITES("has refused to write");

    private final String text;

    Symptom(String text) {
      this.text = text;
    }
  }

  /**
   * A period in which the store cannot store anything.
   *
   * @param lasting the duration so far
   * @param reason the last error of the store, or that it does not answer
   */
  record Trouble(Symptom symptom, Duration lasting, String reason) {
    @Override
    public String toString() {
      return "the store %s for %.1f s: %s"
          .formatted(symptom.text, lasting.toMillis() / 1000.0, reason);
    }
  }
}
