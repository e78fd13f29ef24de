package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dead triggers. A row is added in the transaction that adds the ledger's row of the same id,
 * is settled once, and goes when that row goes.
 */
public interface DeadStore {

  /** Adds rows, with their parameters. */
  void append(List<DeadTrigger> dead);

  /** The row of this id, with all its parameters. */
  Optional<DeadTrigger> find(long id);

  /** The rows of these ids, newest first, larger parameters left in the store. */
  List<DeadTrigger> find(Collection<Long> ids);

  /**
   * Which dead triggers are wanted.
   *
   * @param nodeGroup those of this node group; null for any
   * @param taskPrefix those whose task id begins like this; null for any
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

  /** In which direction to look. */
  enum Order {
    NEWEST_FIRST,
    OLDEST_FIRST
  }

  /**
   * A page of a search.
   *
   * @param dead in the order that was asked for, larger parameters left in the store
   * @param last how far the search has come; null if nothing is left behind it
   */
  record Found(List<DeadTrigger> dead, @Nullable Place last) {}

  /**
   * The dead triggers that are wanted behind a place, at most limit. Looks at no more than {@code
   * lookAt} rows of each state, and at no more than limit unless a task id is asked for: so a page
   * may be short and yet not be the last.
   *
   * @param behind where the page before came to; null for the first
   */
  Found search(Query query, Order order, @Nullable Place behind, int limit, int lookAt);

  /**
   * How many of the wanted ones there are behind a place, oldest first, among as many rows as this
   * of each state.
   */
  int count(Query query, @Nullable Place behind, int lookAt);

  /**
   * Notes what is done about a trigger: what was discarded may yet be replayed, what was replayed
   * stays so. From then on the row stays as it is until the caller's transaction is over.
   *
   * @return false if there is no such row, or it was settled before
   */
  boolean settle(long id, Settlement settlement);

  /**
   * Whether a row says that its replay has this id; waits for a transaction that has settled it and
   * may yet roll back.
   */
  boolean isReplayedAs(long id, long replayId);

  /** Deletes rows and returns how many there were. */
  int delete(Collection<Long> ids);

  /** Ids of rows of triggers that died before an instant, at most limit of each state. */
  List<Long> findDiedBefore(long before, int limit);
}
