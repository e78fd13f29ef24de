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
   * Makes sure that the group and its waiting table exist, the table as this version of Millrace
   * wants it, and returns the group. Must be called outside any transaction. Harmless when several
   * trackers do it at once.
   *
   * @param maxGroups how many groups there may be
   * @throws TooManyNodeGroupsException if the group is new and the bound is reached
   */
  NodeGroup ensure(String name, int maxGroups);

  /**
   * The names of all waiting tables there are, in lower case, whether a node group has them or not.
   */
  Set<String> tables();

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
   * brings the table up to date. Its epoch is above any that a row which was lost can have had.
   * Must be called outside any transaction. Harmless when several trackers do it at once.
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

  /** There are as many node groups as configured. */
  final class TooManyNodeGroupsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TooManyNodeGroupsException(String name, int maxGroups) {
      super("node group " + name + " would be one more than the " + maxGroups + " allowed");
    }
  }
}
