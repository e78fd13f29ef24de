package io.millrace.jobtracker.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;

/** A script of {@code scripts/sql}, run as an operator's SQL client would run it. */
public final class SqlScript {
  static final Path DIRECTORY = Path.of("..", "scripts", "sql");

  private final String text;

  private SqlScript(String text) {
    this.text = text;
  }

  /** The script of this name for the kind of database. */
  public static SqlScript of(TestDatabase.Kind kind, String name) throws IOException {
    return new SqlScript(Files.readString(directory(kind).resolve(name + ".sql")));
  }

  static Path directory(TestDatabase.Kind kind) {
    return DIRECTORY.resolve(kind == TestDatabase.Kind.H2 ? "h2" : "mysql");
  }

  /** The script as it is after an operator has set a variable at its head to a number. */
  public SqlScript with(String variable, long value) {
    return set(variable, "\\d+", String.valueOf(value));
  }

  /** The same with a text. */
  public SqlScript with(String variable, String value) {
    return set(variable, "'[^']*'", "'" + value + "'");
  }

  /** The script as it runs at this time, in epoch milliseconds. */
  SqlScript at(long now) {
    return set("now", ".*", String.valueOf(now));
  }

  private SqlScript set(String variable, String before, String value) {
    String changed =
        text.replaceFirst(
            "(?m)^SET @" + variable + " = " + before + ";$",
            Matcher.quoteReplacement("SET @" + variable + " = " + value + ";"));
    if (!text.contains("\nSET @" + variable + " = ")) {
      throw new IllegalArgumentException("the script does not set @" + variable);
    }
    return new SqlScript(changed);
  }

  /** Runs it and returns the rows of every result, one after another, by column. */
  public List<Map<String, String>> run(TestDatabase database) throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements()) {
        if (statement.execute(sql)) {
          rows.addAll(read(statement.getResultSet()));
        }
      }
    }
    return rows;
  }

  /** The one value of a script that answers with one row of one column. */
  public String answer(TestDatabase database) throws SQLException {
    List<Map<String, String>> rows = run(database);
    if (rows.size() != 1 || rows.get(0).size() != 1) {
      throw new IllegalStateException("answered with " + rows);
    }
    return rows.get(0).values().iterator().next();
  }

  private List<String> statements() {
    String withoutComments = text.replaceAll("(?m)^--.*$", "");
    return Arrays.stream(withoutComments.split(";\\s*(\\R|$)"))
        .map(String::strip)
        .filter(sql -> !sql.isEmpty())
        .toList();
  }

  private static List<Map<String, String>> read(ResultSet result) throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      Map<String, String> row = new LinkedHashMap<>();
      for (int column = 1; column <= columns; column++) {
        String name = result.getMetaData().getColumnLabel(column).toLowerCase(Locale.ROOT);
        row.put(name, result.getString(column));
      }
      rows.add(row);
    }
    return rows;
  }
}
