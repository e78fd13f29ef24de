package io.millrace.jobtracker.store.jdbc.batch;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.batch.PartStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table {@code jt_part}. */
public final class JdbcPartStore implements PartStore {
  private static final RowColumns<Part> COLUMNS =
      RowColumns.<Part>of()
          .number("batch_id", part -> part.key().batchId())
          .number("number", part -> part.key().number())
          .name("state", Part::state)
          .text("handler", Part::handler)
          .params(Part::params, Part::key)
          .text("result", Part::result)
          .number("result_bytes", part -> KeepRequest.bytesOf(part.result()))
          .number("replay_of", Part::replayOf)
          .number("dead_id", Part::deadId);

  static final RowInsert<Part> INSERT =
      RowInsert.into("jt_part", COLUMNS, part -> part.params().bytes());

  private static final String OF_PLACES =
      """
      SELECT %s
      FROM jt_part part
      LEFT JOIN jt_part replay
        ON replay.batch_id = part.batch_id AND replay.number = part.replaced_by
      WHERE part.batch_id = :batchId AND part.number > :above AND part.replay_of IS NULL
      ORDER BY part.batch_id, part.number
      LIMIT :limit""";
  private static final String PLACE =
      "part.batch_id, part.number, part.replay_of, part.dead_id, "
          + Stream.of("state", "handler", "params_bytes", "params", "result")
              .map(
                  "CASE WHEN replay.number IS NULL THEN part.%1$s ELSE replay.%1$s END AS %1$s"
                      ::formatted)
              .collect(Collectors.joining(", "));

  private static final List<String> KEY = List.of("batch_id", "number");
  private static final List<String> OF_AN_END = List.of("state", "result", "result_bytes");

  private final Database database;
  private final RowInsert<Part> end;

  public JdbcPartStore(Database database) {
    this.database = database;
    List<String> sets = OF_AN_END.stream().map(column -> column + " = given." + column).toList();
    this.end =
        new RowInsert<>(
            rows -> database.dialect().upsert("jt_part", COLUMNS.names(), KEY, sets, rows),
            COLUMNS,
            part -> KeepRequest.bytesOf(part.result()));
  }

  @Override
  public void append(List<Part> parts) {
    database.insert("append " + parts.size() + " parts", INSERT, parts);
  }

  @Override
  public List<Part> read(long batchId, int aboveNumber, int limit) {
    return database.list(
        "read parts of batch " + batchId,
        """
        SELECT %s FROM jt_part
        WHERE batch_id = :batchId AND number > :above
        ORDER BY batch_id, number
        LIMIT :limit"""
            .formatted(COLUMNS.list()),
        Map.of("batchId", batchId, "above", aboveNumber, "limit", limit),
        JdbcPartStore::read);
  }

  private static Part read(ResultSet row, int rowNumber) throws SQLException {
    return new Part(
        new PartKey(row.getLong("batch_id"), row.getInt("number")),
        PartState.valueOf(row.getString("state")),
        row.getString("handler"),
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        row.getString("result"),
        Columns.readIntOrNull(row, "replay_of"),
        Columns.readLongOrNull(row, "dead_id"));
  }

  @Override
  public List<Part> read(long batchId, int aboveNumber, int limit, long maxBytes) {
    String what = "read some parts of batch " + batchId;
    return database.call(
        what,
        () -> {
          List<Long> sizes =
              database.list(
                  what,
                  """
                  SELECT params_bytes + result_bytes AS bytes FROM jt_part
                  WHERE batch_id = :batchId AND number > :above
                  ORDER BY batch_id, number
                  LIMIT :limit""",
                  Map.of("batchId", batchId, "above", aboveNumber, "limit", limit),
                  Long.class);
          return sizes.isEmpty() ? List.of() : read(batchId, aboveNumber, fitting(sizes, maxBytes));
        });
  }

  @Override
  public List<Part> readPlaces(long batchId, int aboveNumber, int limit, long maxBytes) {
    String what = "read parts of batch " + batchId + " with their replays";
    return database.call(
        what,
        () -> {
          List<Long> sizes =
              database.list(
                  what,
                  OF_PLACES.formatted(
                      "CASE WHEN replay.number IS NULL THEN part.params_bytes + part.result_bytes"
                          + " ELSE replay.params_bytes + replay.result_bytes END AS bytes"),
                  Map.of("batchId", batchId, "above", aboveNumber, "limit", limit),
                  Long.class);
          return sizes.isEmpty()
              ? List.of()
              : database.list(
                  what,
                  OF_PLACES.formatted(PLACE),
                  Map.of(
                      "batchId", batchId, "above", aboveNumber, "limit", fitting(sizes, maxBytes)),
                  JdbcPartStore::read);
        });
  }

  @Override
  public void replace(PartKey place, int replay) {
    int unused =
        database.update(
            "replace " + place,
            """
            UPDATE jt_part SET replaced_by = :replay
            WHERE batch_id = :batchId AND number = :number""",
            Map.of("replay", replay, "batchId", place.batchId(), "number", place.number()));
  }

  private static int fitting(List<Long> sizes, long maxBytes) {
    int count = 1;
    long bytes = sizes.get(0);
    while (count < sizes.size() && bytes + sizes.get(count) <= maxBytes) {
      bytes += sizes.get(count);
      count++;
    }
    return count;
  }

  @Override
  public void end(List<Part> parts) {
    database.insert("record the ends of " + parts.size() + " parts", end, parts);
  }

  @Override
  public int delete(long batchId, int limit) {
    String sql =
        database
            .dialect()
            .deleteFirst("jt_part", "batch_id = :batchId", List.of("batch_id", "number"));
    return database.update(
        "delete parts of batch " + batchId, sql, Map.of("batchId", batchId, "limit", limit));
  }

  /**
   * Reads one id after the other: the cost depends on the number of batches, not of parts. The
   * bound is inclusive: with an exclusive one H2 would read all parts of the batch before.
   */
  @Override
  public List<Long> batches(long aboveId, int limit) {
    String what = "list batches that have parts";
    String next =
        """
        SELECT batch_id FROM jt_part WHERE batch_id >= :least
        ORDER BY batch_id, number LIMIT 1""";
    return database.call(
        what,
        () -> {
          List<Long> found = new ArrayList<>();
          Optional<Long> id = Optional.of(aboveId);
          while (id.isPresent() && found.size() < limit) {
            id = database.find(what, next, Map.of("least", id.get() + 1), Long.class);
            id.ifPresent(found::add);
          }
          return List.copyOf(found);
        });
  }
}
