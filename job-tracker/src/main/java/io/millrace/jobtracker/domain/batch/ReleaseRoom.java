package io.millrace.jobtracker.domain.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares the largest window among a run and all runs below it: so a part that is split into many
 * adds to what waits no more than another part. The deepest are served first, since their ends make
 * room for others. Not thread-safe.
 */
public final class ReleaseRoom {

  private record Open(long id, long root, int depth, PartCounts counts) {}

  private final List<Open> open = new ArrayList<>();
  private final Map<Long, Integer> live = new HashMap<>();

  /** Adds an open batch as it was read. */
  public void add(Batch batch) {
    long root = batch.ancestry().root();
    int splitPart = batch.ancestry().parent() == null ? 0 : 1;
    live.merge(root, batch.counts().live() - splitPart, Integer::sum);
    if (batch.counts().unreleased() > 0) {
      open.add(new Open(batch.id(), root, batch.ancestry().depth(), batch.counts()));
    }
  }

  /** Releases parts of a batch, at most so many, and returns how many they were. */
  @FunctionalInterface
  public interface Release {
    int release(long batchId, int most);
  }

  /**
   * Releases parts of the batches that need some.
   *
   * @param slots of all workers of the node group
   * @return how many parts were released
   */
  public int share(int slots, Release release) {
    int all = 0;
    open.sort(Comparator.comparingInt(Open::depth).reversed().thenComparing(Open::id));
    for (Open batch : open) {
      int room = ReleaseWindow.MOST - live.getOrDefault(batch.root(), 0);
      if (room > 0 && ReleaseWindow.toRelease(batch.counts(), slots) > 0) {
        int released = release.release(batch.id(), room);
        live.merge(batch.root(), released, Integer::sum);
        all += released;
      }
    }
    return all;
  }
}
