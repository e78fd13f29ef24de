package io.millrace.benchmarks.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The measures, in the order of the report. */
public enum Measure {
  SUBMIT_SINGLE("jobs/s", true),
  SUBMIT_BATCH("jobs/s", true),
  DRAIN("jobs/s", true),
  STEADY("jobs/s", true),
  LATENESS_P50("ms", false),
  LATENESS_P95("ms", false),
  LATENESS_P99("ms", false),
  LATENESS_MAX("ms", false),
  HALF_LOAD_P50("ms", false, LATENESS_P50),
  HALF_LOAD_P95("ms", false, LATENESS_P95),
  HALF_LOAD_P99("ms", false, LATENESS_P99),
  HALF_LOAD_MAX("ms", false, LATENESS_MAX),
  HALF_LOAD_RATE("jobs/s", true),
  HALF_LOAD_BACKLOG("jobs", false),
  BURST_FIRST("ms", false),
  BURST_P99("ms", false),
  BURST_LAST("ms", false),
  DECLARE_DAILY("s", false),
  SECONDS_1K_RATE("runs/s", true),
  SECONDS_1K_P50("ms", false),
  SECONDS_1K_P99("ms", false),
  SECONDS_1K_MAX("ms", false),
  SECONDS_10K_RATE("runs/s", true),
  SECONDS_10K_P50("ms", false),
  SECONDS_10K_HEAP("MiB", false),
  DRAIN_BESIDE_0("jobs/s", true),
  DRAIN_BESIDE_10K("jobs/s", true, DRAIN_BESIDE_0),
  DRAIN_BESIDE_100K("jobs/s", true, DRAIN_BESIDE_0),
  DRAIN_BESIDE_1M("jobs/s", true, DRAIN_BESIDE_0),
  HEAP("MiB", false),
  CPU_PER_1000("s", false),
  STATEMENTS_PER_JOB("", false),
  REDO_BYTES_PER_JOB("bytes", false),
  WIRE_BYTES_PER_JOB("bytes", false);

  private final String unit;
  private final boolean moreIsBetter;
  private final @Nullable Measure baseline;

  Measure(String unit, boolean moreIsBetter) {
    this(unit, moreIsBetter, null);
  }

  Measure(String unit, boolean moreIsBetter, @Nullable Measure baseline) {
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
    this.baseline = baseline;
  }

  /** Returns the word used in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the unit of the values. */
  public String unit() {
    return unit;
  }

  /** Returns whether greater values are better. */
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** Returns the measure of the same contender with which a value is compared, or null for none. */
  public @Nullable Measure baseline() {
    return baseline;
  }
}
