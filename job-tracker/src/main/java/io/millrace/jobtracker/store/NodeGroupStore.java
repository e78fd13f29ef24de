package io.millrace.jobtracker.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The node groups and who serves them. */
public interface NodeGroupStore {

  /**
   * A node group.
   *
   * @param name as clients and workers write it
   * @param tableName its waiting table
   * @param owner number of the tracker that serves it, or null
   * @param epoch rises with every change of owner
   */
  record NodeGroup(String name, String tableName, @Nullable Integer owner, long epoch) {}

  /**
   * For whom a node group is made.
   *
   * @param id under which its groups are counted; null if they are not
   * @param description what messages call it
   */
  record Creator(@Nullable String id, String description) {

    /** All workers together: a worker has no group but the node group that it pulls for. */
    public static final Creator WORKERS = new Creator("worker", "workers");

    /** Counted for the bound of all groups alone. */
    public static final Creator UNCOUNTED = new Creator(null, "");

    /** The clients that say this client group; all that say none are one. */
    public static Creator client(String clientGroup) {
      return new Creator(
          "client:" + clientGroup,
          clientGroup.isEmpty() ? "clients without a client group" : "client group " + clientGroup);
    }
  }

  /**
   * How many node groups there may be.
   *
   * @param all in all
   * @param ofCreator of those, made for one creator
   */
  record Bounds(int all, int ofCreator) {}

  /**
   * Makes sure that the group and its waiting table exist, the table as this version of Millrace
   * wants it, and returns the group. Must be called outside any transaction. Harmless when several
   * trackers do it at once.
   *
   * @throws TooManyNodeGroupsException if the group is new and a bound is reached
   */
  NodeGroup ensure(String name, Creator creator, Bounds bounds);

  /** The same for no creator. */
  default NodeGroup ensure(String name, int maxGroups) {
    return ensure(name, Creator.UNCOUNTED, new Bounds(maxGroups, maxGroups));
  }

  /**
   * The names of all waiting tables there are, in lower case, whether a node group has them or not.
   */
  Set<String> tables();

  /**
   * The names of the waiting tables that are {@linkplain #drop set aside}, in lower case, as they
   * are called when they are not.
   */
  Set<String> tablesSetAside();

  /** The node groups of all recurring jobs. */
  Set<String> mentionedByJobs();

  /**
   * How many bytes each table takes, by its name in lower case, as the database's own statistics
   * have it: without a look at the rows, and so only about. Nothing of tables that are in memory
   * alone.
   */
  Map<String, Long> tableBytes();

  /**
   * The node group whose waiting table has this name, whether either exists or not. Long names do
   * not stand in the name of their table: then it is one of those that jobs, executions and the
   * latest rows of the ledger mention, or nobody knows.
   */
  Optional<String> nodeGroupOf(String table);

  /**
   * Makes what is missing of a node group that was there before, its waiting table or its row, and
   * brings the table up to date. A table that was set aside is brought back, with its rows. Its
   * epoch is above any that a row which was lost can have had. Must be called outside any
   * transaction. Harmless when several trackers do it at once.
   */
  void restore(String name);

  Optional<NodeGroup> find(String name);

  List<NodeGroup> all();

  /**
   * Makes the tracker the owner, if the epoch is still the expected one, and raises the epoch by
   * one. Brings the group's table up to date first, so must be called outside any transaction.
   *
   * @return false if another tracker was faster
   */
  boolean takeOwnership(String name, int tracker, long expectedEpoch);

  /**
   * Makes another tracker the owner, if this one still is in this epoch, and raises the epoch by
   * one. The other takes the group as its own when it next looks.
   *
   * @return false if this tracker was not the owner any more
   */
  boolean handOver(String name, int tracker, long epoch, int target);

  /** Gives ownership up, if the tracker still has it in this epoch. */
  void release(String name, int tracker, long epoch);

  /**
   * Writes the group's row, if the tracker still owns it in this epoch: for transactions that are
   * right only under ownership, such as a rescue.
   *
   * @return false if it does not
   */
  boolean lockOwnership(String name, int tracker, long epoch);

  /**
   * A node group and since when nothing has used it.
   *
   * @param unusedSince in epoch milliseconds, as its owner noted it; null if it is in use
   */
  record Use(String name, @Nullable Long unusedSince) {}

  /** The node groups that the tracker owns. */
  List<Use> usesOfOwned(int tracker);

  /**
   * Whether anything uses the group: a trigger that waits or executes, a recurring job, a dead
   * trigger, a worker that was seen a short time ago, or anything that was counted since.
   *
   * @param since in epoch milliseconds, from the minute before on
   */
  boolean isUsed(String name, long since);

  /**
   * Notes since when nothing has used the group, if the tracker owns it.
   *
   * @param unusedSince null if it is in use
   */
  void noteUse(String name, int tracker, @Nullable Long unusedSince);

  /**
   * Removes the group with its row and its waiting table, if the tracker still owns it in this
   * epoch and nothing {@linkplain #isUsed uses} it. What others store at the same moment is not
   * lost: its transaction ends before the table is looked at, or fails. Must be called outside any
   * transaction.
   *
   * @return false if the group is there as before
   */
  boolean drop(String name, int tracker, long epoch, long since);

  /** There are as many node groups as configured. */
  final class TooManyNodeGroupsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManyNodeGroupsException(String message) {
      super(message);
    }

    public static TooManyNodeGroupsException inAll(String name, int maxGroups) {
      return new TooManyNodeGroupsException(
          "node group " + name + " would be one more than the " + maxGroups + " allowed");
    }

    public static TooManyNodeGroupsException of(Creator creator, String name, int maxGroups) {
      return new TooManyNodeGroupsException(
          ("node group %s would be one more than the %d that %s may have made: use a node group that"
                  + " exists, or have an operator remove some or raise"
                  + " tracker.max-node-groups-of-client-group")
              .formatted(name, maxGroups, creator.description()));
    }
  }
}
