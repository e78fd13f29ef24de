package io.millrace.jobtracker.submit.job;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.jobtracker.store.relay.RelayStore;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The submits that relays have sent, in one transaction. Their epochs are recorded whatever becomes
 * of the jobs: a submit that is answered DUPLICATE leaves nothing else by which a copy of it that
 * arrives late could be recognized. Immutable.
 */
public final class RelayedSubmits {
  private final Map<String, Long> epochs;
  private final Set<String> outdated;

  private RelayedSubmits(Map<String, Long> epochs, Set<String> outdated) {
    this.epochs = epochs;
    this.outdated = outdated;
  }

  /**
   * Records the highest epoch of each relay in the transaction of the caller, before it writes
   * anything else. Relays are locked in the order of their names.
   *
   * @param now epoch milliseconds
   */
  public static RelayedSubmits record(
      RelayStore relays, Collection<PendingSubmit> submits, long now) {
    Map<String, Long> epochs = new TreeMap<>();
    for (PendingSubmit submit : submits) {
      RelayEpoch sent = submit.relay();
      if (sent != null) {
        long before = epochs.getOrDefault(sent.relay(), sent.epoch());
        epochs.put(sent.relay(), Math.max(before, sent.epoch()));
      }
    }
    Set<String> outdated =
        epochs.entrySet().stream()
            .filter(each -> !relays.record(each.getKey(), each.getValue(), now))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    return new RelayedSubmits(epochs, outdated);
  }

  /** The rejection of a submit if a later request of its relay has come; otherwise null. */
  public @Nullable SubmitResult refusal(PendingSubmit submit) {
    RelayEpoch sent = submit.relay();
    if (sent == null || !isOutdated(sent)) {
      return null;
    }
    return SubmitResult.rejected(
        submit.taskId(),
        RejectReason.OUTDATED,
        "the submit of %s/%s has epoch %d, and relay %s has sent a later request"
            .formatted(submit.job().nodeGroup(), submit.taskId(), sent.epoch(), sent.relay()));
  }

  private boolean isOutdated(RelayEpoch sent) {
    return outdated.contains(sent.relay())
        || sent.epoch() < epochs.getOrDefault(sent.relay(), sent.epoch());
  }
}
