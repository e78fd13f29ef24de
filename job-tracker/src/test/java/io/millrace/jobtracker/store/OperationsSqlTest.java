package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What holds for every script of {@code scripts/sql}, whatever it is for. */
class OperationsSqlTest {
  private static final List<String> PARTS = List.of("When", "Reads", "Locks", "Set", "Then");
  private static final Pattern VARIABLE = Pattern.compile("(?m)^SET @(\\w+) = (\\d+|'[^']*');$");
  private static final Pattern LISTED = Pattern.compile("(?m)^\\| `([a-z-]+\\.sql)` \\|");

  @Test
  void bothDatabasesHaveTheSameScriptsAndTheReadmeListsThemAndNoOthers() throws IOException {
    Set<String> h2 = names(SqlScript.directory(TestDatabase.Kind.H2));

    assertThat(names(SqlScript.directory(TestDatabase.Kind.MARIADB))).isEqualTo(h2);
    assertThat(
            LISTED
                .matcher(Files.readString(SqlScript.DIRECTORY.resolve("README.md")))
                .results()
                .map((MatchResult row) -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(h2);
  }

  @ParameterizedTest
  @EveryDatabase
  void everyHeadSaysWhenToUseItWhatItReadsAndLocksWhatToSetAndWhatThen(TestDatabase.Kind kind)
      throws IOException {
    for (String name : names(SqlScript.directory(kind))) {
      assertThat(faults(read(kind, name))).as(kind + " " + name).isEmpty();
    }
  }

  @Test
  void headThatLacksSomethingIsAFault() {
    String whole =
        "-- Shows it.\n-- When:   now.\n-- Reads:  it.\n-- Locks:  nothing.\n-- Set:    @it.\n"
            + "-- Then:   nothing.\nSET @it = 1;\n\nSELECT @it;\n";

    assertThat(faults(whole)).isEmpty();
    assertThat(faults(whole.replace("-- Locks:  nothing.\n", ""))).containsExactly("no Locks");
    assertThat(faults(whole.replace("-- Then:   nothing.\n", ""))).containsExactly("no Then");
    assertThat(faults(whole.replace("-- Shows it.\n", ""))).containsExactly("no first line");
    assertThat(faults(whole.replace("@it.", "nothing."))).containsExactly("@it is not said to set");
    assertThat(faults(whole.replace("SET @it = 1;", "SET @that = 1;")))
        .containsExactly("@it cannot be set", "@that is not said to set");
  }

  /** The databases differ in how a thing is said, not in what an operator reads and sets. */
  @Test
  void headsAndVariablesAreTheSameForBothDatabases() throws IOException {
    for (String name : names(SqlScript.directory(TestDatabase.Kind.H2))) {
      String h2 = read(TestDatabase.Kind.H2, name);
      String mysql = read(TestDatabase.Kind.MARIADB, name);

      assertThat(head(mysql)).as(name).isEqualTo(head(h2));
      assertThat(variables(mysql)).as(name).isEqualTo(variables(h2));
    }
  }

  @ParameterizedTest
  @EveryDatabase
  void everyScriptRunsOnAnEmptyStore(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      int tables =
          database
              .query(
                  "SELECT table_name FROM information_schema.tables WHERE table_schema = SCHEMA()")
              .size();
      for (String name : names(SqlScript.directory(kind))) {
        SqlScript script = SqlScript.of(kind, name.replace(".sql", ""));
        assertThat(script.run(database)).as(name).hasSizeLessThanOrEqualTo(tables);
      }
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private static String read(TestDatabase.Kind kind, String name) throws IOException {
    return Files.readString(SqlScript.directory(kind).resolve(name));
  }

  private static String head(String script) {
    return script
        .lines()
        .takeWhile(line -> line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  private static List<String> variables(String script) {
    return VARIABLE.matcher(script).results().map((MatchResult set) -> set.group()).toList();
  }

  private static List<String> faults(String script) {
    String head = head(script);
    Stream<String> first = Stream.of("no first line").filter(f -> head.startsWith("-- When:"));
    Stream<String> parts =
        PARTS.stream()
            .filter(part -> !head.contains("\n-- " + part + ":") && !head.startsWith("-- " + part))
            .map(part -> "no " + part);
    Set<String> said = mentioned(whatToSet(head));
    Set<String> there = mentioned(String.join(" ", variables(script)));
    Stream<String> unset =
        said.stream().filter(v -> !there.contains(v)).map(v -> v + " cannot be set");
    Stream<String> unsaid =
        there.stream().filter(v -> !said.contains(v)).map(v -> v + " is not said to set");
    return Stream.of(first, parts, unset, unsaid).flatMap(faults -> faults).toList();
  }

  private static String whatToSet(String head) {
    return head.replaceFirst("(?s)^.*\n-- Set:", "").replaceFirst("(?s)\n-- Then:.*$", "");
  }

  private static Set<String> mentioned(String text) {
    return Pattern.compile("@\\w+")
        .matcher(text)
        .results()
        .map((MatchResult v) -> v.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
