package io.millrace.jobtracker.domain.explain;

import io.millrace.common.model.Explanation.Fact;
import io.millrace.common.model.FactKind;
import java.util.ArrayList;
import java.util.List;

/** That nothing is known of a task id, and how sure that is. */
final class AbsenceFacts {
  private static final int SHOWN_GROUPS = 10;

  private AbsenceFacts() {}

  static List<Fact> of(Absence absence) {
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            FactKind.NOT_FOUND, null, absence.isGroupKnown() ? noTask(absence) : noGroup(absence)));
    if (!absence.groupsWithTask().isEmpty()) {
      facts.add(
          new Fact(
              FactKind.NOT_FOUND,
              null,
              "A live job of this task id exists in another node group: "
                  + listed(absence.groupsWithTask())
                  + "."));
    }
    return facts;
  }

  private static String noGroup(Absence absence) {
    return "No node group '"
        + absence.nodeGroup()
        + "' exists: nothing was ever submitted to it, and no worker of it has ever connected. "
        + (absence.knownGroups().isEmpty()
            ? "There is no node group yet."
            : "Node groups: " + listed(absence.knownGroups()) + ".");
  }

  private static String noTask(Absence absence) {
    String nothing =
        "No job '"
            + absence.taskId()
            + "' of node group "
            + absence.nodeGroup()
            + " waits or runs, ";
    Long backTo = absence.searchedBackTo();
    return backTo == null
        ? nothing + "and the ledger tells of none."
        : nothing
            + "and the newest "
            + Words.count(absence.searchedRows(), "row", "rows")
            + " of the ledger, back to "
            + Words.at(backTo)
            + ", tell of none. A one-shot that ended before that is not found this way.";
  }

  private static String listed(List<String> groups) {
    int more = groups.size() - SHOWN_GROUPS;
    return String.join(", ", groups.subList(0, Math.min(SHOWN_GROUPS, groups.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
