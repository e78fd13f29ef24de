package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.RowMapper;

/** Operations that tables with a numeric id as key have in common. */
public final class RowsById {
  private final Database database;
  private final String table;

  public RowsById(Database database, String table) {
    this.database = database;
    this.table = table;
  }

  /** Locks the row until the transaction ends, and returns whether it exists. */
  public boolean lock(long id) {
    String sql = "SELECT id FROM " + table + " WHERE id = :id FOR UPDATE";
    return database.find("lock a row of " + table, sql, Map.of("id", id), Long.class).isPresent();
  }

  /** Reads rows, in no order; missing ones are omitted. */
  public <T> List<T> find(Collection<Long> ids, String columns, RowMapper<T> read) {
    String sql = "SELECT " + columns + " FROM " + table + " WHERE id IN (:ids)";
    return database.listByIds("find " + ids.size() + " rows of " + table, sql, ids, Map.of(), read);
  }

  /** Returns the id of the row that is this many rows below an id; empty if there are fewer. */
  public Optional<Long> idBelow(long belowId, int rows) {
    String sql =
        "SELECT id FROM %s %s WHERE id < :belowId ORDER BY id DESC LIMIT 1 OFFSET :offset"
            .formatted(table, database.dialect().keyIndexHint());
    return database.find(
        "find the row of " + table + " that is " + rows + " rows below " + belowId,
        sql,
        Map.of("belowId", belowId, "offset", rows - 1),
        Long.class);
  }

  /** Deletes rows and returns how many there were. */
  public int delete(Collection<Long> ids) {
    return delete(ids, "");
  }

  /**
   * Deletes rows that meet a condition and returns how many there were.
   *
   * @param condition empty, or {@code AND …}
   */
  public int delete(Collection<Long> ids, String condition) {
    return database.call(
        "delete " + ids.size() + " rows of " + table,
        () -> InLists.of(ids).stream().mapToInt(list -> deleteList(list, condition)).sum());
  }

  private int deleteList(List<Long> ids, String condition) {
    String sql = database.dialect().deleteByIds(table, condition, ids.size());
    return database.jdbc().update(sql, ids.toArray());
  }

  /** Deletes rows one by one, in order of id, and returns the ids of those that were there. */
  public Set<Long> deleteEach(Collection<Long> ids) {
    List<Long> sorted = new ArrayList<>(new TreeSet<>(ids));
    if (sorted.isEmpty()) {
      return Set.of();
    }
    return database.call(
        "delete each of " + sorted.size() + " rows of " + table, () -> deleteSorted(sorted));
  }

  private Set<Long> deleteSorted(List<Long> ids) {
    int[][] counts =
        database
            .jdbc()
            .batchUpdate(
                "DELETE FROM " + table + " WHERE id = ?",
                ids,
                InLists.MAX_VALUES,
                (statement, id) -> statement.setLong(1, id));
    Set<Long> deleted = new LinkedHashSet<>();
    int next = 0;
    for (int[] batch : counts) {
      for (int count : batch) {
        long id = ids.get(next++);
        if (wasThere(id, count)) {
          deleted.add(id);
        }
      }
    }
    return deleted;
  }

  /**
   * Returns whether the row was deleted. Without an exact count, no transaction knows that it won;
   * so this fails.
   */
  private boolean wasThere(long id, int count) {
    if (count != 0 && count != 1) {
      throw new StoreException("deleting " + id + " from " + table + " affected " + count, null);
    }
    return count == 1;
  }

  /** Returns the parameters of rows, as JSON, by id. */
  public Map<Long, String> readParams(Collection<Long> ids) {
    String sql = "SELECT id, params FROM " + table + " WHERE id IN (:ids) AND params IS NOT NULL";
    return database
        .listByIds(
            "read parameters of " + ids.size() + " rows of " + table,
            sql,
            ids,
            Map.of(),
            (row, number) -> Map.entry(row.getLong("id"), row.getString("params")))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
