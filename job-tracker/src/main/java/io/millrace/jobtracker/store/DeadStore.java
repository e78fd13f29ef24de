package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dead triggers. A row is added in the transaction that adds the ledger row of the same id, is
 * settled, and is deleted together with the ledger row.
 */
public interface DeadStore {

  /** Adds rows, with their parameters. */
  void append(List<DeadTrigger> dead);

  /** The row of this id, with all its parameters. */
  Optional<DeadTrigger> find(long id);

  /** The rows of these ids, newest first, larger parameters left in the store. */
  List<DeadTrigger> find(Collection<Long> ids);

  /**
   * The conditions of a search.
   *
   * @param nodeGroup those of this node group; null for any
   * @param taskPrefix those whose task id has this prefix; null for any
   * @param state those in this state; null for any
   * @param diedFrom those that died at this instant or later, in epoch milliseconds
   * @param diedBefore those that died before this instant, in epoch milliseconds
   */
  record Query(
      @Nullable String nodeGroup,
      @Nullable String taskPrefix,
      @Nullable DeadState state,
      long diedFrom,
      long diedBefore) {}

  /** A place in the order in which triggers died. */
  record Place(long diedAt, long id) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byTime = Long.compare(diedAt, other.diedAt);
      return byTime != 0 ? byTime : Long.compare(id, other.id);
    }
  }

  /**
   * A page of a search.
   *
   * @param dead in the requested order, larger parameters left in the store
   * @param last the place that the search has reached; null if no rows remain behind it
   */
  record Found(List<DeadTrigger> dead, @Nullable Place last) {}

  /**
   * Returns the matching dead triggers behind a place, at most limit. Reads at most {@code lookAt}
   * rows of each state, and at most limit unless the query has a task prefix. A page may therefore
   * be short without being the last.
   *
   * @param behind the place that the previous page reached; null for the first page
   */
  Found search(Query query, AgeOrder order, @Nullable Place behind, int limit, int lookAt);

  /**
   * Counts the matching dead triggers behind a place, oldest first, among at most {@code lookAt}
   * rows of each state.
   */
  int count(Query query, @Nullable Place behind, int lookAt);

  /**
   * Records the settlement of a trigger. A discarded trigger may still be replayed; a replayed one
   * stays replayed. The row then stays locked until the caller's transaction ends.
   *
   * @return false if the row does not exist, or its state does not allow this settlement
   */
  boolean settle(long id, Settlement settlement);

  /**
   * Whether the row records this replay. Waits for a transaction that has settled the row and may
   * still roll back.
   */
  boolean isReplayedAs(long id, Replay replay);

  /** Deletes rows and returns how many there were. */
  int delete(Collection<Long> ids);

  /** Returns the ids of triggers that died before an instant, at most limit of each state. */
  List<Long> findDiedBefore(long before, int limit);
}
