package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore.Filter;
import io.millrace.jobtracker.store.JobLogStore.Found;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * Searches the log of one execution, from a line on in either direction. With a filter it first
 * finds the last line that it may look at, by the key alone, so that rare matches cost no more.
 */
public final class JobLogSearch {

  /** From a line on to later lines, or back to earlier ones. */
  public enum Direction {
    AFTER(">", "<=", "ASC"),
    BEFORE("<", ">=", "DESC");

    private final String beyond;
    private final String upTo;
    private final String order;

    Direction(String beyond, String upTo, String order) {
      this.beyond = beyond;
      this.upTo = upTo;
      this.order = order;
    }
  }

  private final Database database;
  private final String select;
  private final RowMapper<LogLine> reader;

  /**
   * Creates a search.
   *
   * @param select the columns that the reader needs, from the table
   */
  public JobLogSearch(Database database, String select, RowMapper<LogLine> reader) {
    this.database = database;
    this.select = select;
    this.reader = reader;
  }

  /**
   * Returns lines beyond a sequence in a direction, in the order in which the job wrote them.
   *
   * @param limit the maximum of lines found
   * @param lookAt the maximum of lines read, whether they match or not
   */
  public Found run(
      Direction direction, long executionId, int sequence, Filter filter, int limit, int lookAt) {
    Map<String, Object> values =
        new HashMap<>(Map.of("executionId", executionId, "sequence", sequence));
    return database.call(
        "search the log of execution " + executionId,
        () -> {
          String condition = condition(filter, values);
          @Nullable Integer last =
              condition.isEmpty() ? null : lastLookedAt(direction, values, lookAt);
          if (last != null) {
            values.put("last", last);
            condition = " AND sequence_no " + direction.upTo + " :last" + condition;
          }
          List<LogLine> lines = select(direction, condition, values, limit);
          @Nullable Integer next =
              lines.size() == limit ? (Integer) lines.get(limit - 1).sequence() : last;
          return new Found(inOrder(direction, lines), next);
        });
  }

  private static String range(Direction direction) {
    return "WHERE execution_id = :executionId AND sequence_no " + direction.beyond + " :sequence";
  }

  /** ORDER BY names the equality column too: H2 would sort all lines of the execution otherwise. */
  private static String order(Direction direction) {
    return " ORDER BY execution_id %1$s, sequence_no %1$s".formatted(direction.order);
  }

  private List<LogLine> select(
      Direction direction, String condition, Map<String, Object> values, int limit) {
    return database
        .sql(select + range(direction) + condition + order(direction) + " LIMIT :limit")
        .params(values)
        .param("limit", limit)
        .query(reader)
        .list();
  }

  /** Returns the last line that may be looked at; null if there are no more lines than those. */
  private @Nullable Integer lastLookedAt(
      Direction direction, Map<String, Object> values, int lookAt) {
    String sql =
        "SELECT sequence_no FROM jt_job_log %s%s LIMIT 1 OFFSET :offset"
            .formatted(range(direction), order(direction));
    return database
        .sql(sql)
        .params(values)
        .param("offset", lookAt - 1)
        .query(Integer.class)
        .optional()
        .orElse(null);
  }

  /** The text is searched for as it is: LOCATE knows no wildcards. */
  private static String condition(Filter filter, Map<String, Object> values) {
    StringBuilder condition = new StringBuilder();
    LogLevel lowest = filter.lowest();
    if (lowest != null) {
      values.put("levels", namesFrom(lowest));
      condition.append(" AND level IN (:levels)");
    }
    if (filter.contained() != null) {
      values.put("contained", filter.contained());
      condition.append(" AND LOCATE(LOWER(:contained), LOWER(line)) > 0");
    }
    return condition.toString();
  }

  private static List<String> namesFrom(LogLevel lowest) {
    return Arrays.stream(LogLevel.values())
        .filter(level -> level.compareTo(lowest) >= 0)
        .map(LogLevel::name)
        .toList();
  }

  private static List<LogLine> inOrder(Direction direction, List<LogLine> lines) {
    if (direction == Direction.AFTER) {
      return lines;
    }
    List<LogLine> reversed = new ArrayList<>(lines);
    Collections.reverse(reversed);
    return reversed;
  }
}
