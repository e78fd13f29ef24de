package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns that several tables have in common. */
public final class Columns {

  /** Selects parameters that are small enough to be read with their row. */
  static final String INLINE_PARAMS =
      "CASE WHEN params_bytes <= " + StoredParams.INLINE_BYTES + " THEN params END AS params";

  public static final int MESSAGE_CHARS = 4000;
  public static final int CAUSE_CHARS = 255;

  private Columns() {}

  public static void bindKey(TriggerKey key, Parameters parameters) throws SQLException {
    parameters.text(key.taskId()).number(key.plannedAt()).number(key.ordinal());
  }

  public static TriggerKey readKey(ResultSet row) throws SQLException {
    return new TriggerKey(
        row.getString("task_id"), row.getLong("planned_at"), row.getInt("ordinal"));
  }

  /**
   * Binds parameters. Fails if they were left in the store: writing parameters that were never read
   * would lose them.
   */
  public static void bindParams(StoredParams params, Object owner, Parameters parameters)
      throws SQLException {
    if (params.isLeftInStore()) {
      throw new IllegalArgumentException(
          "parameters of " + owner + " were not read from the store");
    }
    parameters.number(params.bytes()).text(params.json());
  }

  public static @Nullable Long readLongOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /** Returns the text, truncated to the maximum without splitting a surrogate pair. */
  public static @Nullable String bounded(@Nullable String text, int maxChars) {
    if (text == null || text.length() <= maxChars) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(maxChars - 1));
    return text.substring(0, splitsPair ? maxChars - 1 : maxChars);
  }

  /** Returns a column list for SELECT, with parameters only if they are small. */
  public static String inlined(List<String> columns) {
    return String.join(", ", columns).replaceFirst("\\bparams$", INLINE_PARAMS);
  }
}
