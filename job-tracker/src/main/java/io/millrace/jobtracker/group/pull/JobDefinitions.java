package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.store.JobStore;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Definitions by id and version, read once and cached while they are used. A version never changes,
 * so a cached definition is never out of date. Bounded in bytes, and so in number; the least
 * recently used goes first. Thread-safe.
 */
public final class JobDefinitions {
  /** The most bytes cached: about sixty thousand definitions without parameters. */
  static final long MAX_BYTES = 64L << 20;

  /** The size of a definition without its parameters: a generous estimate. */
  static final int DEFINITION_BYTES = 1_024;

  private record Key(long id, int version) {}

  private final JobStore jobs;
  private final long maxBytes;
  private final Map<Key, JobDefinition> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  public JobDefinitions(JobStore jobs) {
    this(jobs, MAX_BYTES);
  }

  JobDefinitions(JobStore jobs, long maxBytes) {
    this.jobs = jobs;
    this.maxBytes = maxBytes;
  }

  /** The definition in this version; empty if the job has a newer version or is gone. */
  public Optional<JobDefinition> find(long id, int version) {
    Key key = new Key(id, version);
    synchronized (kept) {
      JobDefinition known = kept.get(key);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Optional<JobDefinition> read = jobs.find(id).filter(job -> job.version() == version);
    read.ifPresent(job -> keep(key, job));
    return read;
  }

  private void keep(Key key, JobDefinition job) {
    synchronized (kept) {
      JobDefinition before = kept.put(key, job);
      bytes += weight(job) - (before == null ? 0 : weight(before));
      Iterator<JobDefinition> eldest = kept.values().iterator();
      while (bytes > maxBytes) {
        bytes -= weight(eldest.next());
        eldest.remove();
      }
    }
  }

  private static long weight(JobDefinition job) {
    return DEFINITION_BYTES + 2L * job.params().bytes();
  }
}
