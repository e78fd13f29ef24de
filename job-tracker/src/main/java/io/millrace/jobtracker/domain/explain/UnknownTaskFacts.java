package io.millrace.jobtracker.domain.explain;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import java.util.ArrayList;
import java.util.List;

/** The facts about an unknown task id: that nothing is known of it, and how sure that is. */
record UnknownTaskFacts(UnknownTask absence, FactPhrases phrases) {
  private static final int SHOWN_GROUPS = 10;

  List<Fact> write() {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(FactKind.NOT_FOUND, null, absence.isGroupKnown() ? noTask() : noGroup()));
    if (!absence.groupsWithTask().isEmpty()) {
      facts.add(
          new Fact(
              FactKind.NOT_FOUND,
              null,
              phrases.say("absent.elsewhere", listed(absence.groupsWithTask()))));
    }
    return facts;
  }

  private String noGroup() {
    String known =
        absence.knownGroups().isEmpty()
            ? phrases.say("absent.groups.none")
            : phrases.say("absent.groups", listed(absence.knownGroups()));
    return phrases.say("absent.group", absence.nodeGroup(), known);
  }

  private String noTask() {
    Long backTo = absence.searchedBackTo();
    return backTo == null
        ? phrases.say("absent.task", absence.taskId(), absence.nodeGroup())
        : phrases.say(
            "absent.task.cut",
            absence.taskId(),
            absence.nodeGroup(),
            phrases.count(absence.searchedRows(), "rows"),
            phrases.at(backTo));
  }

  private String listed(List<String> groups) {
    return phrases.list(groups, SHOWN_GROUPS);
  }
}
