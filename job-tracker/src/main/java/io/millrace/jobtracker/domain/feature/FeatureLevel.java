package io.millrace.jobtracker.domain.feature;

import io.millrace.api.Job;

/**
 * How much the software of a tracker knows. A tracker of a level knows what came with it and with
 * every level below. Trackers state their level with their lease. A job that needs a level is
 * stored only if every tracker that holds a lease has it, and from then on no tracker below it
 * starts.
 *
 * <p>To add a feature that older trackers would handle wrongly: a further level here, {@link #OWN}
 * set to it, and the jobs that use it in {@link #neededBy}. A number is never used again.
 *
 * @param number 0 for software that states no level
 * @param feature what came with the level, for messages; may be empty
 */
public record FeatureLevel(int number, String feature) {
  /** What every tracker knows, also one that states no level. */
  public static final FeatureLevel NONE = new FeatureLevel(0, "");

  /** Trackers state their level, and do not start below the required one. */
  public static final FeatureLevel CHECK = new FeatureLevel(1, "feature levels");

  /** Runs are split into parts. */
  public static final FeatureLevel PARTS = new FeatureLevel(2, "runs that are split");

  /** Jobs require labels of workers, or prefer a worker. */
  public static final FeatureLevel LANES = new FeatureLevel(3, "labels of workers");

  /** Runs are split into one part for each worker. */
  public static final FeatureLevel BROADCAST = new FeatureLevel(4, "one part for each worker");

  /** Dead parts are replayed, and runs without what succeeded. */
  public static final FeatureLevel REPLAYS = new FeatureLevel(5, "replays of parts");

  /** The level of this software. */
  public static final FeatureLevel OWN = REPLAYS;

  /** The level that a job needs, by what it uses. */
  public static FeatureLevel neededBy(Job job) {
    if (job.broadcast()) {
      return BROADCAST;
    }
    if (!job.requires().isEmpty() || job.stickTo() != null) {
      return LANES;
    }
    return splits(job) ? PARTS : NONE;
  }

  /** Whether the job splits its runs, or says what holds for their parts. */
  public static boolean splits(Job job) {
    return job.shards() != null
        || job.broadcast()
        || job.reduce() != null
        || job.onPartFailure() != null
        || job.within() != null;
  }

  /**
   * Reads the form of {@link #text}.
   *
   * @throws IllegalArgumentException if the text does not begin with a number
   */
  public static FeatureLevel parse(String text) {
    int blank = text.indexOf(' ');
    String number = blank < 0 ? text : text.substring(0, blank);
    try {
      return new FeatureLevel(Integer.parseInt(number), blank < 0 ? "" : text.substring(blank + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a feature level", e);
    }
  }

  /** The form in which the required level is stored: the number, then what came with it. */
  public String text() {
    return feature.isEmpty() ? String.valueOf(number) : number + " " + feature;
  }

  /** Whether a tracker of this level knows all that came with the other one. */
  public boolean covers(FeatureLevel other) {
    return number >= other.number;
  }

  /** For messages, for example {@code 2 (batches)}. */
  @Override
  public String toString() {
    return feature.isEmpty() ? String.valueOf(number) : number + " (" + feature + ")";
  }
}
