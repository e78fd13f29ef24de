package io.millrace.tasktracker.internal.joblog;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Check;
import java.time.Duration;

/**
 * The bounds of the job logs in memory.
 *
 * @param maxLines maximum number of lines that are kept until the tracker has stored them; further
 *     lines are dropped; at least 1
 * @param maxBytes estimated memory that these lines may take, in bytes; at least 1
 * @param linger how long a line waits for others before it is sent; the end of its execution sends
 *     it at once; not negative
 * @param retryDelay pause before lines without an answer are sent again; positive
 */
public record JobLogConfig(int maxLines, long maxBytes, Duration linger, Duration retryDelay) {
  public JobLogConfig {
    Bounds.atLeast(1).check("maxLines", maxLines);
    Bounds.atLeast(1L).check("maxBytes", maxBytes);
    Bounds.atLeast(Duration.ZERO).check("linger", linger);
    Check.positive("retryDelay", retryDelay);
  }
}
