package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.domain.trigger.StoredParams;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The columns that a record is written to, each with the value that it takes from the record.
 * Immutable: each method that adds columns returns a longer list.
 */
public final class RowColumns<T> {
  private static final String PARAMS = "params";

  /** Selects parameters that are small enough to be read with their row. */
  private static final String INLINE_PARAMS =
      "CASE WHEN params_bytes <= " + StoredParams.INLINE_BYTES + " THEN params END AS params";

  private static final RowColumns<StoredParams> OF_PARAMS =
      RowColumns.<StoredParams>of()
          .number("params_bytes", StoredParams::bytes)
          .text(PARAMS, StoredParams::json);

  /** Takes a value from a record; null becomes an SQL null. */
  @FunctionalInterface
  public interface Value<T, V> {
    @Nullable V of(T row);
  }

  /** A column, and the type of its values as in {@link Types}. */
  private record Column<T>(String name, int type, Value<T, ?> value) {

    /** The same column for records that contain this one; an SQL null if they do not. */
    <W> Column<W> in(Value<W, T> part) {
      return new Column<W>(
          name,
          type,
          whole -> {
            T found = part.of(whole);
            return found == null ? null : value.of(found);
          });
    }

    /** Uses the setters of the types: setObject takes drivers several times as long. */
    void bind(T row, PreparedStatement statement, int index) throws SQLException {
      Object it = value.of(row);
      if (it == null) {
        statement.setNull(index, type);
        return;
      }
      switch (type) {
        case Types.BIGINT -> statement.setLong(index, (Long) it);
        case Types.VARCHAR -> statement.setString(index, (String) it);
        case Types.BOOLEAN -> statement.setBoolean(index, (Boolean) it);
        default -> throw new IllegalStateException("no setter for the type of column " + name);
      }
    }
  }

  private final List<Column<T>> columns;
  private final List<String> names;

  private RowColumns(List<Column<T>> columns) {
    this.columns = columns;
    this.names = columns.stream().map(Column::name).toList();
  }

  public static <T> RowColumns<T> of() {
    return new RowColumns<>(List.of());
  }

  public RowColumns<T> number(String name, Value<T, Number> value) {
    return with(
        name,
        Types.BIGINT,
        row -> {
          Number it = value.of(row);
          return it == null ? null : it.longValue();
        });
  }

  public RowColumns<T> text(String name, Value<T, String> value) {
    return with(name, Types.VARCHAR, value);
  }

  /** Adds a column of text that is cut off after this many characters. */
  public RowColumns<T> text(String name, int maxChars, Value<T, String> value) {
    return text(name, row -> Columns.bounded(value.of(row), maxChars));
  }

  public RowColumns<T> name(String name, Function<T, Enum<?>> value) {
    return text(name, row -> value.apply(row).name());
  }

  public RowColumns<T> flag(String name, Value<T, Boolean> value) {
    return with(name, Types.BOOLEAN, value);
  }

  /** Adds a column of JSON. */
  public RowColumns<T> json(String name, Value<T, Object> value) {
    return text(
        name,
        row -> {
          Object it = value.of(row);
          return it == null ? null : Columns.json(it);
        });
  }

  /**
   * Adds the columns of parameters. Fails if a row's were left in the store: writing parameters
   * that were never read would lose them.
   *
   * @param owner what they belong to; for the message
   */
  public RowColumns<T> params(Function<T, StoredParams> params, Function<T, Object> owner) {
    return part(
        row -> {
          StoredParams found = params.apply(row);
          if (found.isLeftInStore()) {
            throw new IllegalArgumentException(
                "parameters of " + owner.apply(row) + " were left in the store");
          }
          return found;
        },
        OF_PARAMS);
  }

  /** Adds the columns of a part of the record; all are null if the part is null. */
  public <P> RowColumns<T> part(Value<T, P> part, RowColumns<P> others) {
    return with(others.columns.stream().map(column -> column.in(part)));
  }

  private RowColumns<T> with(String name, int type, Value<T, ?> value) {
    return with(Stream.of(new Column<>(name, type, value)));
  }

  private RowColumns<T> with(Stream<Column<T>> more) {
    return new RowColumns<>(Stream.concat(columns.stream(), more).toList());
  }

  /**
   * Sets the parameters of a row, in the order of the columns.
   *
   * @param last the index of the last parameter that is set already
   * @return the index of the last parameter of this row
   */
  int bind(T row, PreparedStatement statement, int last) throws SQLException {
    int index = last;
    for (Column<T> column : columns) {
      index++;
      column.bind(row, statement, index);
    }
    return index;
  }

  /** Returns the values of a row as parameters with the names of the columns. */
  public MapSqlParameterSource values(T row) {
    MapSqlParameterSource values = new MapSqlParameterSource();
    columns.forEach(it -> values.addValue(it.name(), it.value().of(row), it.type()));
    return values;
  }

  public List<String> names() {
    return names;
  }

  /** Returns the names for a list of columns in a statement. */
  public String list() {
    return String.join(", ", names);
  }

  /** As {@link #list}, of the table with this alias. */
  public String listOf(String alias) {
    return list(name -> alias + "." + name);
  }

  /** As {@link #list}, for SELECT, with parameters only if they are small. */
  public String listInlined() {
    return list(name -> name.equals(PARAMS) ? INLINE_PARAMS : name);
  }

  /** As {@link #list}, for SELECT, with null for parameters. */
  public String listWithoutParams() {
    return list(name -> name.equals(PARAMS) ? "NULL AS params" : name);
  }

  /** Returns assignments that make a row equal to the given one; it has the same key. */
  public List<String> setsBut(List<String> key) {
    return names.stream()
        .filter(name -> !key.contains(name))
        .map(name -> name + " = given." + name)
        .toList();
  }

  /** Returns assignments of {@link #values}, for UPDATE. */
  public String sets() {
    return list(name -> name + " = :" + name);
  }

  private String list(Function<String, String> form) {
    return names.stream().map(form).collect(Collectors.joining(", "));
  }
}
