package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No table, column, index or alias of ours has a name that a server keeps for itself. In our SQL
 * what the databases know stands in capitals, and every word in small letters is a name of ours.
 */
class ReservedWordsTest {
  private static final List<Path> SQL = List.of(Path.of("../schema"), Path.of("../scripts/sql"));
  private static final Path STORES = Path.of("src/main/java/io/millrace/jobtracker/store/jdbc");

  private static final Pattern LITERAL =
      Pattern.compile("\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\b(SELECT|INSERT|UPDATE|DELETE|MERGE|FROM|JOIN|WHERE|AND|OR|AS|ON|SET|BY|CASE|UNION)\\b");

  /** In a program: names of parameters, which the server does not see, and values of properties. */
  private static final Pattern NO_SQL =
      Pattern.compile(
          "(?:param|put|addValue)\\(\"\\w+\""
              + "|Map\\.of\\(\\s*\"\\w+\",(?:[^()]|\\([^()]*\\))*\\)"
              + "|\"(?:true|false)\"");

  private static final Pattern ONE_NAME = Pattern.compile("[a-z][a-z0-9_]*");

  /** A text, which may be a statement that is prepared. */
  private static final Pattern TEXT = Pattern.compile("'((?:[^']|'')*)'");

  /** What is no name: parameters, and what a program puts in. */
  private static final Pattern NO_NAMES =
      Pattern.compile(":[A-Za-z]\\w*|\\$\\{\\w+}|%(?:\\d\\$)?[sd]|\\\\n");

  private static final Pattern NAME = Pattern.compile("(?<![\\w@])[a-z][a-z0-9_]*(?!\\w)");

  @ParameterizedTest
  @ValueSource(strings = {"mysql-9.7", "mysql-8.4", "mariadb-11.4"})
  void noNameOfOursIsReserved(String server) throws IOException {
    Set<String> reserved = reserved(server);
    assertThat(reserved).hasSizeGreaterThan(200).contains("SELECT", "GROUP");

    Map<String, String> names = namesOfOurs();

    assertThat(names).hasSizeGreaterThan(250).containsKeys("jt_executing", "ix_due", "given");
    names.keySet().removeIf(name -> !reserved.contains(name.toUpperCase(Locale.ROOT)));
    assertThat(names).as("names that %s keeps for itself, and where", server).isEmpty();
  }

  @Test
  void wordThatOneOfTheServersKeepsIsSeenWhereverItStands() throws IOException {
    assertThat(reserved("mysql-9.7")).contains("STORED");
    assertThat(reserved("mysql-8.4")).contains("STORED");
    assertThat(reserved("mariadb-11.4")).doesNotContain("STORED").contains("OFFSET");

    assertThat(namesInJava("sql = \"DELETE stored FROM \" + table + \" AS stored WHERE id = ?\";"))
        .containsExactly("id", "stored");
    assertThat(namesInJava("List.of(\"rank\", \"to_mark\")")).containsExactly("rank", "to_mark");
    assertThat(namesInJava("x = \"\"\"\n  SELECT lag.id FROM %s AS lag\n  WHERE a = :of\"\"\";"))
        .containsExactly("a", "id", "lag");
    assertThat(
            namesInJava(
                "list(\"SELECT id FROM jobs\", Map.of(\"limit\", size(), \"to\", 1), \"a\")"))
        .containsExactly("a", "id", "jobs");
    assertThat(namesInJava("throw new StoreException(\"no row of this table is to be read\");"))
        .isEmpty();
    assertThat(namesInSql("CREATE TABLE t (system INT COMMENT 'of what') -- and why"))
        .containsExactly("system", "t");
    assertThat(namesInSql("SET @s = CONCAT('SELECT lead.id FROM ', @t, ' AS lead');"))
        .containsExactly("id", "lead");
  }

  /** The server itself is asked, whatever its version; and lists of its version are kept true. */
  @Test
  @Tag("database")
  void serverTakesEveryNameOfOurs() throws SQLException, IOException {
    try (TestDatabase database = TestDatabase.onServer();
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      assertThat(namesOfOurs().keySet())
          .filteredOn(name -> isRefused(statement, name))
          .as("refused by " + connection.getMetaData().getDatabaseProductVersion())
          .isEmpty();

      String version = connection.getMetaData().getDatabaseProductVersion();
      String list =
          version.replaceFirst(
              "^(\\d+\\.\\d+)\\..*", version.contains("MariaDB") ? "mariadb-$1" : "mysql-$1");
      if (list.equals("mysql-9.7") || list.equals("mariadb-11.4")) {
        Set<String> refused =
            database.query("SELECT word FROM information_schema.keywords").stream()
                .filter(word -> word.matches("\\w+"))
                .filter(word -> isRefused(statement, word))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(refused).isEqualTo(reserved(list));
      }
    }
  }

  private static boolean isRefused(Statement statement, String name) {
    try {
      statement.execute("CREATE TEMPORARY TABLE of_names (%1$s INT)".formatted(name));
      statement.execute("DROP TEMPORARY TABLE of_names");
      statement.execute("SELECT %1$s FROM (SELECT 1 AS %1$s) AS %1$s".formatted(name));
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  /** The names, and a file in which each stands. */
  private static Map<String, String> namesOfOurs() throws IOException {
    Map<String, String> names = new TreeMap<>();
    for (Path directory : SQL) {
      for (Path file : files(directory, ".sql")) {
        namesInSql(Files.readString(file)).forEach(name -> names.put(name, file.toString()));
      }
    }
    for (Path file : files(STORES, ".java")) {
      // Compares tables, in words.
      if (!file.endsWith("TableShape.java")) {
        namesInJava(Files.readString(file)).forEach(name -> names.put(name, file.toString()));
      }
    }
    return names;
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  private static Set<String> namesInJava(String source) {
    Set<String> names = new TreeSet<>();
    Matcher literals = LITERAL.matcher(NO_SQL.matcher(source).replaceAll(""));
    while (literals.find()) {
      String text = literals.group(1) == null ? literals.group(2) : literals.group(1);
      if (STATEMENT.matcher(text).find() || ONE_NAME.matcher(text).matches()) {
        names.addAll(namesInSql(text));
      }
    }
    return names;
  }

  private static Set<String> namesInSql(String sql) {
    Set<String> names = new TreeSet<>();
    String withoutComments = sql.replaceAll("--[^\\n]*", " ");
    Matcher texts = TEXT.matcher(withoutComments);
    while (texts.find()) {
      if (STATEMENT.matcher(texts.group(1)).find()) {
        names.addAll(namesInSql(texts.group(1).replace("''", "'")));
      }
    }
    NAME.matcher(NO_NAMES.matcher(texts.replaceAll(" ")).replaceAll(" "))
        .results()
        .map(MatchResult::group)
        .forEach(names::add);
    return names;
  }

  private static Set<String> reserved(String server) throws IOException {
    String file = "reserved-words/" + server + ".txt";
    try (InputStream list = ReservedWordsTest.class.getResourceAsStream(file)) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Stream.of(line.split(" ")))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
