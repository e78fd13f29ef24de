package io.millrace.api;

import io.millrace.internal.config.Bounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The directory and the bounds of an outbox.
 *
 * @param directory directory that only this outbox uses; created if it does not exist
 * @param maxEntries the largest number of entries
 * @param maxBytes the largest number of bytes of keys and bodies; the file may be four times as
 *     large, or 4 MiB, and five times while it is rewritten
 * @param maxAge age at which an entry expires; at most {@link #MAX_AGE}
 * @param sync whether every change is forced to the disk, so that it survives a loss of power; if
 *     false, a change survives any end of the process, but not a crash of the machine
 */
public record OutboxConfig(
    Path directory, int maxEntries, long maxBytes, Duration maxAge, boolean sync) {
  /** The largest number of entries, unless set. */
  public static final int DEFAULT_ENTRIES = 100_000;

  /** The largest number of bytes of keys and bodies, unless set. */
  public static final long DEFAULT_BYTES = 64L << 20;

  /** The age at which an entry expires, unless set. */
  public static final Duration DEFAULT_AGE = Duration.ofDays(1);

  /**
   * Largest age of an entry. A tracker remembers for at least two days what it has stored or
   * accepted; an entry that is sent again later might be treated as new.
   */
  public static final Duration MAX_AGE = Duration.ofHours(36);

  public OutboxConfig {
    Objects.requireNonNull(directory, "directory");
    Bounds.atLeast(1).check("maxEntries", maxEntries);
    Bounds.atLeast(1L).check("maxBytes", maxBytes);
    if (maxAge.isZero() || maxAge.isNegative() || maxAge.compareTo(MAX_AGE) > 0) {
      throw new IllegalArgumentException(
          "maxAge must be positive and at most " + MAX_AGE + ": " + maxAge);
    }
  }

  /** Forces every change to the disk. */
  public OutboxConfig(Path directory, int maxEntries, long maxBytes, Duration maxAge) {
    this(directory, maxEntries, maxBytes, maxAge, true);
  }

  /** 100,000 entries, 64 MiB, one day; every change is forced to the disk. */
  public static OutboxConfig of(Path directory) {
    return new OutboxConfig(directory, DEFAULT_ENTRIES, DEFAULT_BYTES, DEFAULT_AGE);
  }
}
