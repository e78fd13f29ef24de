package io.millrace.jobtracker.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The node groups and the trackers that own them. */
public interface NodeGroupStore {

  /**
   * A node group.
   *
   * @param name the name that clients and workers use
   * @param tableName the name of its waiting table
   * @param owner number of the tracker that owns it, or null
   * @param epoch rises whenever a tracker becomes the owner
   */
  record NodeGroup(String name, String tableName, @Nullable Integer owner, long epoch) {}

  /**
   * The creator of a node group.
   *
   * @param id the id under which its groups are counted; null if they are not counted
   * @param description the name of the creator in messages
   */
  record Creator(@Nullable String id, String description) {

    /** All workers together: a worker has no group other than the node group for which it pulls. */
    public static final Creator WORKERS = new Creator("worker", "workers");

    /** No creator: the group counts only for the bound on all groups. */
    public static final Creator UNCOUNTED = new Creator(null, "");

    /**
     * Returns the creator for the clients of a client group; all clients without one share a
     * creator.
     */
    public static Creator client(String clientGroup) {
      return new Creator(
          "client:" + clientGroup,
          clientGroup.isEmpty() ? "clients without a client group" : "client group " + clientGroup);
    }
  }

  /**
   * The maximum numbers of node groups.
   *
   * @param all the maximum in total
   * @param ofCreator the maximum for one creator
   */
  record Bounds(int all, int ofCreator) {}

  /**
   * Creates the group and its waiting table if missing, upgrades the table to this version of
   * Millrace, and returns the group. Must be called outside any transaction. Several trackers may
   * do this at the same time.
   *
   * @throws TooManyNodeGroupsException if the group is new and a bound is reached
   */
  NodeGroup ensure(String name, Creator creator, Bounds bounds);

  /** As {@link #ensure(String, Creator, Bounds)}, without a creator. */
  default NodeGroup ensure(String name, int maxGroups) {
    return ensure(name, Creator.UNCOUNTED, new Bounds(maxGroups, maxGroups));
  }

  /**
   * Returns the names of all waiting tables, in lower case, including those without a node group.
   */
  Set<String> tables();

  /**
   * Returns the regular names of the waiting tables that are {@linkplain #drop set aside}, in lower
   * case.
   */
  Set<String> tablesSetAside();

  /** The node groups of all recurring jobs. */
  Set<String> mentionedByJobs();

  /**
   * Returns the approximate size of each table in bytes, by its name in lower case, from the
   * database's statistics: does not read the rows. Omits tables that are only in memory.
   */
  Map<String, Long> tableBytes();

  /**
   * Returns the node group whose waiting table has this name, whether either exists or not. The
   * name of a table does not contain a long group name: such a group is found only if a job, an
   * execution or one of the latest ledger rows mentions it.
   */
  Optional<String> nodeGroupOf(String table);

  /**
   * Recreates the waiting table or the row of a node group that existed before, and upgrades the
   * table. A table that was set aside is brought back with its rows. A new row gets an epoch above
   * any that a lost row can have had. Must be called outside any transaction. Several trackers may
   * do this at the same time.
   */
  void restore(String name);

  Optional<NodeGroup> find(String name);

  List<NodeGroup> all();

  /**
   * Makes the tracker the owner, if the epoch is still the expected one, and raises the epoch by
   * one. Upgrades the group's table first, so it must be called outside any transaction.
   *
   * @return false if another tracker was faster
   */
  boolean takeOwnership(String name, int tracker, long expectedEpoch);

  /**
   * Makes another tracker the owner, if this tracker still owns the group in this epoch, and raises
   * the epoch by one. The target takes the group when it next reads its assignments.
   *
   * @return false if this tracker was no longer the owner
   */
  boolean handOver(String name, int tracker, long epoch, int target);

  /** Releases the group, if the tracker still owns it in this epoch. */
  void release(String name, int tracker, long epoch);

  /**
   * Writes the group's row, if the tracker still owns it in this epoch: for transactions that
   * require ownership, such as a rescue.
   *
   * @return false if the tracker does not own it
   */
  boolean lockOwnership(String name, int tracker, long epoch);

  /**
   * A node group and the time since which it has been unused.
   *
   * @param unusedSince in epoch milliseconds, as its owner recorded it; null if it is in use
   */
  record Use(String name, @Nullable Long unusedSince) {}

  /** Returns the node groups that the tracker owns. */
  List<Use> usesOfOwned(int tracker);

  /**
   * Whether anything uses the group: a waiting or executing trigger, a recurring job, a dead
   * trigger, a recorded worker, or a minute counted since.
   *
   * @param since in epoch milliseconds; minutes that began up to one minute earlier count too
   */
  boolean isUsed(String name, long since);

  /**
   * Records since when the group has been unused, if the tracker owns it.
   *
   * @param unusedSince null if it is in use
   */
  void noteUse(String name, int tracker, @Nullable Long unusedSince);

  /**
   * Removes the group with its row and its waiting table, if the tracker still owns it in this
   * epoch and nothing {@linkplain #isUsed uses} it. Concurrent writes are not lost: their
   * transactions end before the table is checked, or fail. Must be called outside any transaction.
   *
   * @return false if the group was not removed
   */
  boolean drop(String name, int tracker, long epoch, long since);

  /** The configured maximum of node groups is reached. */
  final class TooManyNodeGroupsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManyNodeGroupsException(String message) {
      super(message);
    }

    public static TooManyNodeGroupsException inAll(String name, int maxGroups) {
      return new TooManyNodeGroupsException(
          "node group " + name + " would exceed the limit of " + maxGroups + " node groups");
    }

    public static TooManyNodeGroupsException of(Creator creator, String name, int maxGroups) {
      return new TooManyNodeGroupsException(
          ("node group %s would exceed the limit of %d node groups created by %s: use an"
                  + " existing node group, or ask an operator to remove some or to raise"
                  + " tracker.max-node-groups-of-client-group")
              .formatted(name, maxGroups, creator.description()));
    }
  }
}
