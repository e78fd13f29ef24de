package io.millrace.jobtracker.reconcile;

import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Proves that every node group has its waiting table and every waiting table its node group. Each
 * tracker looks by itself, over all groups; what several repair at once is repaired once. Driven by
 * one timer, which never overlaps itself.
 */
public final class NodeGroupTables {
  /** A group's table is made a moment before its row: only what lasts longer is damage. */
  public static final long GRACE_MILLIS = 10_000;

  private final NodeGroupStore groups;
  private final Signals signals;
  private final Map<String, Long> rowlessSince = new TreeMap<>();
  private boolean inDoubt;

  public NodeGroupTables(NodeGroupStore groups, Signals signals) {
    this.groups = groups;
    this.signals = signals;
  }

  /** Looks once. */
  public Reconciled runOnce(long now) {
    Findings findings = new Findings();
    // The rows once before the tables and once after: what is new in between is no damage.
    List<NodeGroup> before = groups.all();
    Set<String> tables = groups.tables();
    Set<String> withRow =
        groups.all().stream().map(NodeGroup::tableName).collect(Collectors.toSet());
    for (NodeGroup group : before) {
      if (!tables.contains(group.tableName())) {
        findings.attempt("node group " + group.name(), () -> makeTable(group, findings));
      }
    }
    Set<String> rowless = new TreeSet<>(tables);
    rowless.removeAll(withRow);
    rowlessSince.keySet().retainAll(rowless);
    inDoubt = false;
    for (String table : rowless) {
      long since = rowlessSince.computeIfAbsent(table, unused -> now);
      if (now - since < GRACE_MILLIS) {
        inDoubt = true;
      } else {
        findings.attempt("table " + table, () -> makeRow(table, findings));
      }
    }
    return findings.sum();
  }

  /** Whether the last run saw what may be damage and is to be looked at again after the grace. */
  public boolean isInDoubt() {
    return inDoubt;
  }

  private void makeTable(NodeGroup group, Findings findings) {
    groups.restore(group.name());
    findings.repaired(
        Damage.GROUP_WITHOUT_TABLE,
        1,
        "node group %s had no table %s; it is made anew, and the triggers of recurring jobs with it"
            .formatted(group.name(), group.tableName()));
  }

  private void makeRow(String table, Findings findings) {
    Optional<String> name = groups.nodeGroupOf(table);
    if (name.isEmpty()) {
      findings.isBeyondRepair(
          "table %s has no node group, and none that is known has a table of this name; submit a"
                  .formatted(table)
              + " job to its group, which makes the row again, or drop the table");
      return;
    }
    groups.restore(name.get());
    findings.repaired(
        Damage.TABLE_WITHOUT_GROUP,
        1,
        "table %s had no node group; that of %s is there again".formatted(table, name.get()));
    signals.nodeGroupStored(name.get());
  }
}
