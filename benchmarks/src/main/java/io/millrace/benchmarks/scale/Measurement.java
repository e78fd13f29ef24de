package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.database.DatabaseKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What grows from one measurement to the next. */
enum Measurement {
  ROWS("rows beside", null),
  GROUPS("node groups", "node group"),
  WORKERS("workers", "worker"),
  TRACKERS("trackers", null);

  private final String title;
  private final @Nullable String each;

  /**
   * @param each one of those whose number grows, if each of them is expected to cost as much;
   *     otherwise null, and the largest number is compared with the smallest
   */
  Measurement(String title, @Nullable String each) {
    this.title = title;
    this.each = each;
  }

  /** Returns the word used in options and reports. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return title;
  }

  @Nullable String each() {
    return each;
  }

  /** Returns whether this can be measured: a file of H2 is open to one process only. */
  boolean isPossibleOn(DatabaseKind kind) {
    return this != TRACKERS || kind.isServer();
  }
}
