package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.FeedbackStore.Unacknowledged;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes feedback that its client group did not acknowledge in time, and logs a warning, because
 * these ends are not reported to any client any more.
 */
final class FeedbackPurge {
  private static final Logger LOG = LoggerFactory.getLogger(FeedbackPurge.class);

  private final Stores stores;
  private final RetentionConfig config;
  private final PurgeBounds portions;

  FeedbackPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.config = config;
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    long below = IdSequence.lowestAt(now - config.feedbackKeep().toMillis());
    Map<String, Integer> byClientGroup = new TreeMap<>();
    try {
      return deleteBelow(below, byClientGroup);
    } finally {
      if (!byClientGroup.isEmpty()) {
        LOG.warn(
            "purge: deleted feedback that client groups did not acknowledge within {}: {}",
            config.feedbackKeep(),
            byClientGroup);
      }
    }
  }

  private DeleteResult deleteBelow(long belowId, Map<String, Integer> byClientGroup) {
    return portions.delete(
        () -> {
          List<Unacknowledged> chunk =
              stores.transactions().repeating("purge feedback", () -> deleteChunk(belowId));
          chunk.forEach(feedback -> byClientGroup.merge(feedback.clientGroup(), 1, Integer::sum));
          return chunk.size();
        });
  }

  private List<Unacknowledged> deleteChunk(long belowId) {
    List<Unacknowledged> chunk = stores.feedback().readBelow(belowId, portions.chunk());
    stores.feedback().delete(chunk.stream().map(Unacknowledged::id).toList());
    return chunk;
  }
}
