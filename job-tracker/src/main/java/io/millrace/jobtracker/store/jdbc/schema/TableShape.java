package io.millrace.jobtracker.store.jdbc.schema;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The properties of a table that all databases report alike, so that tables of different databases
 * can be compared.
 *
 * @param columns by name, in lower case
 * @param indexes the indexes, including those of keys
 */
public record TableShape(Map<String, Column> columns, Set<Index> indexes) {

  /**
   * A column.
   *
   * @param kind the kind of its values, independent of the database's type name
   */
  record Column(String kind, boolean nullable) {}

  /** An index, regardless of its name. */
  record Index(boolean unique, List<String> columns) {
    @Override
    public String toString() {
      return (unique ? "unique index" : "index") + " on (" + String.join(", ", columns) + ")";
    }
  }

  /** Returns the tables of Millrace in the connection's schema, by name in lower case. */
  public static Map<String, TableShape> read(Connection connection) throws SQLException {
    DatabaseMetaData data = connection.getMetaData();
    Map<String, TableShape> shapes = new TreeMap<>();
    try (ResultSet tables =
        data.getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
      while (tables.next()) {
        String name = tables.getString("TABLE_NAME");
        if (lower(name).startsWith("jt_")) {
          shapes.put(
              lower(name),
              new TableShape(readColumns(connection, name), readIndexes(connection, name)));
        }
      }
    }
    return shapes;
  }

  private static Map<String, Column> readColumns(Connection connection, String table)
      throws SQLException {
    Map<String, Column> columns = new TreeMap<>();
    try (ResultSet rows =
        connection
            .getMetaData()
            .getColumns(connection.getCatalog(), connection.getSchema(), escape(table), "%")) {
      while (rows.next()) {
        boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
        columns.put(
            lower(rows.getString("COLUMN_NAME")),
            new Column(kindOf(rows.getInt("DATA_TYPE")), nullable));
      }
    }
    return columns;
  }

  private static Set<Index> readIndexes(Connection connection, String table) throws SQLException {
    Map<String, Map<Integer, String>> columns = new TreeMap<>();
    Map<String, Boolean> unique = new TreeMap<>();
    try (ResultSet rows =
        connection
            .getMetaData()
            .getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
      while (rows.next()) {
        String name = rows.getString("INDEX_NAME");
        if (name != null) {
          unique.put(name, !rows.getBoolean("NON_UNIQUE"));
          columns
              .computeIfAbsent(name, index -> new TreeMap<>())
              .put(rows.getInt("ORDINAL_POSITION"), lower(rows.getString("COLUMN_NAME")));
        }
      }
    }
    Set<Index> indexes = new HashSet<>();
    columns.forEach(
        (name, of) ->
            indexes.add(new Index(unique.getOrDefault(name, false), List.copyOf(of.values()))));
    return indexes;
  }

  /**
   * Returns the differences that keep a table from serving as the wanted one, one line each.
   * Additional columns and indexes are allowed.
   *
   * @param tables the existing tables, by name in lower case
   */
  public static List<String> lacks(
      Map<String, TableShape> tables, String table, TableShape wanted) {
    TableShape there = tables.get(table);
    return there == null ? List.of("table " + table + " is missing") : there.lacks(table, wanted);
  }

  private List<String> lacks(String table, TableShape wanted) {
    List<String> lacks = new ArrayList<>();
    wanted.columns.forEach((name, column) -> lacks.addAll(lacks(table + "." + name, name, column)));
    wanted.indexes.stream()
        .filter(index -> !indexes.contains(index))
        .map(index -> "table " + table + " has no " + index)
        .sorted()
        .forEach(lacks::add);
    return lacks;
  }

  private List<String> lacks(String fullName, String name, Column wanted) {
    Column there = columns.get(name);
    if (there == null) {
      return List.of("column " + fullName + " is missing");
    }
    List<String> lacks = new ArrayList<>();
    if (!there.kind.equals(wanted.kind)) {
      lacks.add("column " + fullName + " has " + there.kind + " instead of " + wanted.kind);
    }
    if (there.nullable != wanted.nullable) {
      lacks.add("column " + fullName + (there.nullable ? " may be null" : " may not be null"));
    }
    return lacks;
  }

  private static String kindOf(int type) {
    return switch (type) {
      case Types.BIGINT -> "64-bit numbers";
      case Types.INTEGER -> "32-bit numbers";
      case Types.SMALLINT -> "16-bit numbers";
      case Types.BOOLEAN, Types.BIT, Types.TINYINT -> "true or false";
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB -> "text";
      default -> "other values";
    };
  }

  /** Escapes underscores, which stand for any character in a pattern. */
  private static String escape(String name) {
    return name.replace("_", "\\_");
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
