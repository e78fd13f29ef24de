package io.millrace.jobtracker.pull;

import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.store.JobStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Definitions by id and version, read once and kept while they are used: a version never changes,
 * so nothing kept can be out of date. Bounded in count and in bytes of parameters. Thread-safe.
 */
public final class JobDefinitions {
  private static final int MAX_KEPT = 10_000;
  private static final int MAX_KEPT_PARAMS_BYTES = 16_384;

  private record Key(long id, int version) {}

  private final JobStore jobs;
  private final Map<Key, JobDefinition> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, JobDefinition> eldest) {
          return size() > MAX_KEPT;
        }
      };

  public JobDefinitions(JobStore jobs) {
    this.jobs = jobs;
  }

  /** The definition in this version; empty if the job has moved on. */
  public Optional<JobDefinition> find(long id, int version) {
    Key key = new Key(id, version);
    synchronized (kept) {
      JobDefinition known = kept.get(key);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Optional<JobDefinition> read = jobs.find(id).filter(job -> job.version() == version);
    read.filter(job -> job.params().bytes() <= MAX_KEPT_PARAMS_BYTES)
        .ifPresent(
            job -> {
              synchronized (kept) {
                kept.put(key, job);
              }
            });
    return read;
  }
}
