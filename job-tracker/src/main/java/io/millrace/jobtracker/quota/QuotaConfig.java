package io.millrace.jobtracker.quota;

import io.millrace.internal.config.Bounds;

/**
 * The bounds on the bytes stored in the database, as the database itself counts them; each 1 MiB to
 * 1024 TiB.
 *
 * @param waitingBytesOfGroup the waiting triggers of one node group; 4 GiB by default
 * @param waitingBytes the waiting triggers of all node groups and the definitions of recurring
 *     jobs; 16 GiB by default
 * @param jobLogBytes all job logs; 4 GiB by default
 * @param jobLogBytesOfExecution the log lines of one execution, in UTF-8; 16 MiB by default
 * @param keptBytes what runs keep between their attempts; 4 GiB by default
 * @param resultBytes what jobs returned; 16 GiB by default
 */
public record QuotaConfig(
    long waitingBytesOfGroup,
    long waitingBytes,
    long jobLogBytes,
    long jobLogBytesOfExecution,
    long keptBytes,
    long resultBytes) {

  public static final Bounds<Long> BYTES = Bounds.between(1L << 20, 1L << 50);

  public static final QuotaConfig DEFAULT =
      new QuotaConfig(4L << 30, 16L << 30, 4L << 30, 16L << 20, 4L << 30, 16L << 30);

  public QuotaConfig {
    BYTES.check("waiting.max-bytes-of-group", waitingBytesOfGroup);
    BYTES.check("waiting.max-bytes", waitingBytes);
    BYTES.check("job-log.max-bytes", jobLogBytes);
    BYTES.check("job-log.max-bytes-of-execution", jobLogBytesOfExecution);
    BYTES.check("kept.max-bytes", keptBytes);
    BYTES.check("results.max-bytes", resultBytes);
  }
}
