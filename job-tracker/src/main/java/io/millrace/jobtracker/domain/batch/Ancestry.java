package io.millrace.jobtracker.domain.batch;

import org.jspecify.annotations.Nullable;

/**
 * Where a batch stands among batches whose parts split.
 *
 * @param parent the batch one of whose parts split; null if a job's own run did
 * @param root the batch of the job's own run; the batch itself if that is it
 * @param depth 1 for a root
 */
public record Ancestry(@Nullable Long parent, long root, int depth) {

  public Ancestry {
    if ((parent == null) != (depth == 1)) {
      throw new IllegalArgumentException("a batch at depth " + depth + " below " + parent);
    }
  }

  /** Of the batch of a job's own run. */
  public static Ancestry ofRoot(long batchId) {
    return new Ancestry(null, batchId, 1);
  }

  /** Of a batch one of whose parent's parts split. */
  public static Ancestry below(Batch parent) {
    return new Ancestry(parent.id(), parent.ancestry().root(), parent.ancestry().depth() + 1);
  }

  /** Whether a part of the batch may split. */
  public boolean maySplit() {
    return depth < BatchBounds.MAX_DEPTH;
  }
}
