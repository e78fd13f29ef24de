package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of columns that several tables have in common. */
public final class Columns {
  public static final int MESSAGE_CHARS = 4000;
  private static final JsonCodec CODEC = new JsonCodec();

  private Columns() {}

  public static TriggerKey readKey(ResultSet row) throws SQLException {
    return new TriggerKey(
        row.getString("task_id"), row.getLong("planned_at"), row.getInt("ordinal"));
  }

  /** Returns the values for a query of the triggers behind a key. */
  public static Map<String, ?> behind(String nodeGroup, TriggerKey key, int limit) {
    return Map.of(
        "nodeGroup", nodeGroup,
        "taskId", key.taskId(),
        "plannedAt", key.plannedAt(),
        "ordinal", key.ordinal(),
        "limit", limit);
  }

  public static @Nullable Long readLongOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  public static @Nullable Integer readIntOrNull(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : (Integer) value;
  }

  /** Returns the value as JSON. */
  public static String json(Object value) {
    return CODEC.encodeText(value);
  }

  public static <T> T readJson(ResultSet row, String column, Class<T> type) throws SQLException {
    return CODEC.decodeText(row.getString(column), type);
  }

  public static <T> @Nullable T readJsonOrNull(ResultSet row, String column, Class<T> type)
      throws SQLException {
    String json = row.getString(column);
    return json == null ? null : CODEC.decodeText(json, type);
  }

  /** Returns the text, truncated to the maximum without splitting a surrogate pair. */
  public static @Nullable String bounded(@Nullable String text, int maxChars) {
    if (text == null || text.length() <= maxChars) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(maxChars - 1));
    return text.substring(0, splitsPair ? maxChars - 1 : maxChars);
  }
}
