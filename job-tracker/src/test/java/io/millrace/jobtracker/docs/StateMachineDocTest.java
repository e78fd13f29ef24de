package io.millrace.jobtracker.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.lifecycle.LifecycleState;
import io.millrace.internal.time.RepeatedTimerState;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/state-machines.md} against the enums: nothing is missing, nothing is made up.
 */
class StateMachineDocTest {
  private static final Path PAGE = Path.of("..", "docs", "state-machines.md");
  private static final Pattern ARROW =
      Pattern.compile("^ *([A-Z_]+) --> ([A-Z_]+)", Pattern.MULTILINE);
  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Z_]+)` \\|.*\\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([A-Z_]+)`");

  @Test
  void chartAndTableOfTheTriggerAreThoseOfTheEnum() throws IOException {
    assertDocumented("Trigger", transitions(TriggerState.values(), TriggerState::next));
  }

  @Test
  void chartAndTableOfTheJobAreThoseOfTheEnum() throws IOException {
    assertDocumented("Job", transitions(JobState.values(), JobState::next));
  }

  @Test
  void chartAndTableOfTheBatchAreThoseOfTheEnum() throws IOException {
    assertDocumented("Batch", transitions(BatchState.values(), BatchState::next));
  }

  @Test
  void chartAndTableOfTheRepeatedTimerAreThoseOfTheEnum() throws IOException {
    assertDocumented(
        "Repeated timer", transitions(RepeatedTimerState.values(), RepeatedTimerState::next));
  }

  @Test
  void chartAndTableOfTheServiceAreThoseOfTheEnum() throws IOException {
    assertDocumented("Service", transitions(LifecycleState.values(), LifecycleState::next));
  }

  @Test
  void tableOfEndsNamesEveryEndAndWhatFollowsIt() throws IOException {
    assertThat(table(section("End of an execution")))
        .isEqualTo(transitions(LedgerStatus.values(), end -> Set.of(TriggerState.after(end))));
  }

  private static void assertDocumented(String heading, Map<String, Set<String>> transitions)
      throws IOException {
    String section = section(heading);
    assertThat(table(section)).as("table of %s", heading).isEqualTo(transitions);
    assertThat(chart(section)).as("chart of %s", heading).isEqualTo(withoutEnds(transitions));
  }

  private static String section(String heading) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("\n## " + heading + "\n");
    assertThat(start).as("heading '%s' in %s", heading, PAGE).isNotNegative();
    int end = page.indexOf("\n## ", start + 1);
    return end < 0 ? page.substring(start) : page.substring(start, end);
  }

  private static <E extends Enum<E>> Map<String, Set<String>> transitions(
      E[] states, Function<E, Set<? extends Enum<?>>> next) {
    Map<String, Set<String>> transitions = new TreeMap<>();
    Arrays.stream(states).forEach(s -> transitions.put(s.name(), names(next.apply(s))));
    return transitions;
  }

  private static Set<String> names(Set<? extends Enum<?>> states) {
    Set<String> names = new TreeSet<>();
    states.forEach(state -> names.add(state.name()));
    return names;
  }

  private static Map<String, Set<String>> table(String section) {
    Map<String, Set<String>> rows = new TreeMap<>();
    Matcher row = ROW.matcher(section);
    while (row.find()) {
      Set<String> next = new TreeSet<>();
      NAME.matcher(row.group(2)).results().forEach(name -> next.add(name.group(1)));
      rows.put(row.group(1), next);
    }
    return rows;
  }

  private static Map<String, Set<String>> chart(String section) {
    Map<String, Set<String>> arrows = new TreeMap<>();
    Matcher arrow = ARROW.matcher(section);
    while (arrow.find()) {
      arrows.computeIfAbsent(arrow.group(1), from -> new TreeSet<>()).add(arrow.group(2));
    }
    return arrows;
  }

  private static Map<String, Set<String>> withoutEnds(Map<String, Set<String>> transitions) {
    Map<String, Set<String>> left = new TreeMap<>(transitions);
    left.values().removeIf(Set::isEmpty);
    return left;
  }
}
