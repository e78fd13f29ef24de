package io.millrace.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The ratio of two contenders that were measured in turn, round by round: the geometric mean of the
 * ratios of the rounds, and the interval in which 95 of 100 such means lie when the rounds are
 * drawn anew with replacement (the percentile bootstrap: B. Efron, R. J. Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13).
 */
public record PairedRatio(double ratio, double low, double high) {
  private static final int DRAWS = 4_000;
  private static final double OUTSIDE = 0.025;

  /**
   * Computes the ratio.
   *
   * @param ours positive values, one for each round
   * @param theirs positive values of the same rounds
   */
  public static PairedRatio of(List<Double> ours, List<Double> theirs) {
    if (ours.isEmpty() || ours.size() != theirs.size()) {
      throw new IllegalArgumentException(ours.size() + " rounds beside " + theirs.size());
    }
    double[] logs = new double[ours.size()];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(ours.get(i) / theirs.get(i));
    }
    // A fixed seed: the same values have the same interval.
    Random random = new Random(1);
    double[] means = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      for (int i = 0; i < logs.length; i++) {
        sum += logs[random.nextInt(logs.length)];
      }
      means[draw] = sum / logs.length;
    }
    Arrays.sort(means);
    int outside = (int) (DRAWS * OUTSIDE);
    return new PairedRatio(
        Math.exp(Arrays.stream(logs).average().orElseThrow()),
        Math.exp(means[outside]),
        Math.exp(means[DRAWS - 1 - outside]));
  }
}
