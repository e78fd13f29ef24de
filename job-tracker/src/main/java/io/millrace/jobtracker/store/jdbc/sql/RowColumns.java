package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.domain.trigger.StoredParams;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a record is written to, each with the value that it takes from the record.
 * Immutable: each method that adds columns returns a longer list.
 */
public final class RowColumns<T> implements RowInsert.Binder<T> {
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

  @FunctionalInterface
  private interface Setter {
    void set(Parameters parameters, @Nullable Object value) throws SQLException;
  }

  private record Column<T>(String name, Value<T, ?> value, Setter setter) {

    /** The same column for records that contain this one; an SQL null if they do not. */
    <W> Column<W> in(Value<W, T> part) {
      return new Column<W>(
          name,
          whole -> {
            T found = part.of(whole);
            return found == null ? null : value.of(found);
          },
          setter);
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
    return with(name, value, (parameters, it) -> parameters.numberOrNull((Number) it));
  }

  public RowColumns<T> text(String name, Value<T, String> value) {
    return with(name, value, (parameters, it) -> parameters.text((String) it));
  }

  /** Adds a column of text that is cut off after this many characters. */
  public RowColumns<T> text(String name, int maxChars, Value<T, String> value) {
    return text(name, row -> Columns.bounded(value.of(row), maxChars));
  }

  public RowColumns<T> name(String name, Function<T, Enum<?>> value) {
    return text(name, row -> value.apply(row).name());
  }

  public RowColumns<T> flag(String name, Value<T, Boolean> value) {
    return with(name, value, (parameters, it) -> parameters.flag(Boolean.TRUE.equals(it)));
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

  private RowColumns<T> with(String name, Value<T, ?> value, Setter setter) {
    return with(Stream.of(new Column<>(name, value, setter)));
  }

  private RowColumns<T> with(Stream<Column<T>> more) {
    return new RowColumns<>(Stream.concat(columns.stream(), more).toList());
  }

  @Override
  public void bind(T row, Parameters parameters) throws SQLException {
    for (Column<T> column : columns) {
      column.setter().set(parameters, column.value().of(row));
    }
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

  /** Returns assignments of parameters, for UPDATE. */
  public String sets() {
    return list(name -> name + " = ?");
  }

  private String list(Function<String, String> form) {
    return names.stream().map(form).collect(Collectors.joining(", "));
  }
}
