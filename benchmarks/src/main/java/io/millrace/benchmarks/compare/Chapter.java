package io.millrace.benchmarks.compare;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The optional measurements. They follow the drains, which always run and measure a contender's
 * speed.
 */
enum Chapter {
  LATENESS,
  /** Steady state and single submits; with H2 also the number of statements per job. */
  RATES,
  /** Half load; needs the steady state that {@link #RATES} measures. */
  HALF_LOAD,
  BURST,
  BESIDE,
  /** Recurring jobs that are declared. */
  DAILY,
  SECONDS,
  WIRE;

  /** Returns the word used in options. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Set<Chapter> all() {
    return EnumSet.allOf(Chapter.class);
  }
}
