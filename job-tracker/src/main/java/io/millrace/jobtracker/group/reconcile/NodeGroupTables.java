package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every node group has its waiting table, every waiting table its node group, and every
 * recurring job its node group. Each tracker checks all groups by itself; if several trackers
 * repair the same damage at once, it is repaired once. Driven by one timer, which never overlaps
 * its own runs.
 */
public final class NodeGroupTables {
  /** A group's table is created before its row: only a mismatch that lasts longer is damage. */
  public static final long GRACE_MILLIS = 10_000;

  private final NodeGroupStore groups;
  private final Signals signals;
  private final Map<String, Long> rowlessSince = new TreeMap<>();
  private final Map<String, Long> setAsideSince = new TreeMap<>();
  private final Map<String, Long> mentionedSince = new TreeMap<>();
  private boolean inDoubt;

  public NodeGroupTables(NodeGroupStore groups, Signals signals) {
    this.groups = groups;
    this.signals = signals;
  }

  /** Checks all groups once. */
  public Reconciled runOnce(long now) {
    ReconcileReport findings = new ReconcileReport();
    // The rows are read before and after the tables: a group created in between is no damage.
    List<NodeGroup> before = groups.all();
    Set<String> setAside = new TreeSet<>(groups.tablesSetAside());
    Set<String> tables = groups.tables();
    setAside.addAll(groups.tablesSetAside());
    Set<String> mentioned = groups.mentionedByJobs();
    Map<String, String> byTable =
        groups.all().stream().collect(Collectors.toMap(NodeGroup::tableName, NodeGroup::name));
    for (NodeGroup group : before) {
      String table = group.tableName();
      if (!tables.contains(table) && !setAside.contains(table) && byTable.containsKey(table)) {
        findings.attempt("node group " + group.name(), () -> makeTable(group, findings));
      }
    }
    inDoubt = false;
    Set<String> rowless = new TreeSet<>(tables);
    rowless.removeAll(byTable.keySet());
    rowless.removeAll(setAside);
    for (String table : lasting(rowless, rowlessSince, now)) {
      findings.attempt("table " + table, () -> makeRow(table, findings));
    }
    for (String table : lasting(setAside, setAsideSince, now)) {
      findings.attempt(
          "table " + table + " set aside", () -> bringBack(table, byTable.get(table), findings));
    }
    mentioned.removeAll(byTable.values());
    for (String group : lasting(mentioned, mentionedSince, now)) {
      findings.attempt("node group " + group, () -> makeGroup(group, findings));
    }
    return findings.sum();
  }

  /** Returns the findings that have lasted for the grace; younger ones are in doubt. */
  private Set<String> lasting(Set<String> found, Map<String, Long> foundSince, long now) {
    foundSince.keySet().retainAll(found);
    Set<String> lasting = new TreeSet<>();
    for (String name : found) {
      if (now - foundSince.computeIfAbsent(name, unused -> now) < GRACE_MILLIS) {
        inDoubt = true;
      } else {
        lasting.add(name);
      }
    }
    return lasting;
  }

  /** Whether the last run found possible damage, which must be checked again after the grace. */
  public boolean isInDoubt() {
    return inDoubt;
  }

  private void makeTable(NodeGroup group, ReconcileReport findings) {
    groups.restore(group.name());
    findings.repaired(
        Inconsistency.GROUP_WITHOUT_TABLE,
        1,
        ("node group %s had no table %s; the table and the triggers of recurring jobs were"
                + " created again")
            .formatted(group.name(), group.tableName()));
  }

  private void makeRow(String table, ReconcileReport findings) {
    Optional<String> name = groups.nodeGroupOf(table);
    if (name.isEmpty()) {
      findings.isBeyondRepair(
          "table %s has no node group, and no known node group has a table of this name; submit a"
                  .formatted(table)
              + " job to its group, which creates the row again, or drop the table");
      return;
    }
    groups.restore(name.get());
    findings.repaired(
        Inconsistency.TABLE_WITHOUT_GROUP,
        1,
        "table %s had no node group; node group %s was restored".formatted(table, name.get()));
    signals.nodeGroupStored(name.get());
  }

  /** A tracker that dies while it drops a group leaves its table set aside. */
  private void bringBack(String table, @Nullable String group, ReconcileReport findings) {
    Optional<String> name = Optional.ofNullable(group).or(() -> groups.nodeGroupOf(table));
    if (name.isEmpty()) {
      findings.isBeyondRepair(
          "table %s was set aside while its node group was dropped, and no known node group has"
                  .formatted(table)
              + " a table of this name; submit a job to its group, which restores the table");
      return;
    }
    groups.restore(name.get());
    findings.repaired(
        group == null ? Inconsistency.TABLE_WITHOUT_GROUP : Inconsistency.GROUP_WITHOUT_TABLE,
        1,
        "node group %s was only partly dropped; it was restored with table %s"
            .formatted(name.get(), table));
    signals.nodeGroupStored(name.get());
  }

  /** A group whose table was there without a row has been restored by now. */
  private void makeGroup(String group, ReconcileReport findings) {
    if (groups.find(group).isPresent()) {
      return;
    }
    groups.restore(group);
    findings.repaired(
        Inconsistency.JOB_WITHOUT_GROUP,
        1,
        ("node group %s of recurring jobs was missing; the group and their triggers were"
                + " created again")
            .formatted(group));
    signals.nodeGroupStored(group);
  }
}
