package io.millrace.tasktracker.joblog;

import java.time.Duration;

/**
 * How much of the job logs is kept in memory, and how long.
 *
 * @param maxLines lines kept until the tracker has them; further ones are dropped
 * @param maxBytes memory those lines may take, estimated
 * @param linger how long a lone line waits for company; the end of its execution sends it at once
 * @param retryDelay pause before lines that got no answer are sent again
 */
public record JobLogConfig(int maxLines, long maxBytes, Duration linger, Duration retryDelay) {
  public JobLogConfig {
    if (maxLines < 1) {
      throw new IllegalArgumentException("maxLines must be at least 1: " + maxLines);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1: " + maxBytes);
    }
    if (linger.isNegative()) {
      throw new IllegalArgumentException("linger must not be negative: " + linger);
    }
    if (retryDelay.isZero() || retryDelay.isNegative()) {
      throw new IllegalArgumentException("retryDelay must be positive: " + retryDelay);
    }
  }
}
