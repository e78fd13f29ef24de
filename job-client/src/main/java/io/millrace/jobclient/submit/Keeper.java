package io.millrace.jobclient.submit;

/**
 * Keeps on disk what no tracker answers, in the order in which it was given. Thread-safe; no call
 * blocks.
 */
public interface Keeper {

  /** Whether a request of this key is kept, so that every later one must be kept behind it. */
  boolean holds(JobKey key);

  /** Takes a request, which counts as held from now on. May be called under a lock. */
  void keep(ToKeep request);

  /** Begins to write what was given. Never called under a lock. */
  void flush();
}
