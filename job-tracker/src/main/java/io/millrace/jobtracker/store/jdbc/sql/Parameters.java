package io.millrace.jobtracker.store.jdbc.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement, one after the other. */
public final class Parameters {
  private final PreparedStatement statement;
  private int last;

  public Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  public Parameters number(long value) throws SQLException {
    statement.setLong(++last, value);
    return this;
  }

  public Parameters numberOrNull(@Nullable Number value) throws SQLException {
    if (value == null) {
      statement.setNull(++last, Types.BIGINT);
      return this;
    }
    return number(value.longValue());
  }

  public Parameters flag(boolean value) throws SQLException {
    statement.setBoolean(++last, value);
    return this;
  }

  public Parameters text(@Nullable String value) throws SQLException {
    statement.setString(++last, value);
    return this;
  }
}
