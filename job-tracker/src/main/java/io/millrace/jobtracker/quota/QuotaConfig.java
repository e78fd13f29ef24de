package io.millrace.jobtracker.quota;

/**
 * How many bytes of the database may be filled, as the database itself counts them.
 *
 * @param waitingBytesOfGroup by what waits in one node group; 4 GiB by default
 * @param waitingBytes by what waits in all node groups, and by the definitions of recurring jobs;
 *     16 GiB by default
 * @param jobLogBytes by job logs; 4 GiB by default
 * @param jobLogBytesOfExecution by the lines of one execution, in UTF-8; 16 MiB by default
 */
public record QuotaConfig(
    long waitingBytesOfGroup, long waitingBytes, long jobLogBytes, long jobLogBytesOfExecution) {

  public static final QuotaConfig DEFAULT =
      new QuotaConfig(4L << 30, 16L << 30, 4L << 30, 16L << 20);

  public static final long LEAST_BYTES = 1L << 20;
  public static final long MOST_BYTES = 1L << 50;

  public QuotaConfig {
    require("waiting.max-bytes-of-group", waitingBytesOfGroup);
    require("waiting.max-bytes", waitingBytes);
    require("job-log.max-bytes", jobLogBytes);
    require("job-log.max-bytes-of-execution", jobLogBytesOfExecution);
  }

  private static void require(String key, long bytes) {
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(key + " is 1MiB to 1024TiB");
    }
  }
}
