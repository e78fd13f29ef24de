package io.millrace.benchmarks.compare;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What is measured after the drains, which tell how fast a contender is and always come. */
enum Chapter {
  LATENESS,
  /** Steady state and single submits; of H2 also the statements of a job. */
  RATES,
  /** Goes by the steady state. */
  HALF_LOAD,
  BURST,
  BESIDE,
  SECONDS,
  WIRE;

  /** As it is written in options. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Set<Chapter> all() {
    return EnumSet.allOf(Chapter.class);
  }
}
