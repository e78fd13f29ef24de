package io.millrace.jobtracker.store.jdbc.batch;

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
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_part}. */
public final class JdbcPartStore implements PartStore {
  private static final RowColumns<Part> COLUMNS =
      RowColumns.<Part>of()
          .number("batch_id", part -> part.key().batchId())
          .number("number", part -> part.key().number())
          .name("state", Part::state)
          .params(Part::params, Part::key)
          .text("result", Part::result)
          .number("replay_of", Part::replayOf);

  static final RowInsert<Part> INSERT =
      RowInsert.into("jt_part", COLUMNS, part -> part.params().bytes());

  private final Database database;

  public JdbcPartStore(Database database) {
    this.database = database;
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
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        row.getString("result"),
        Columns.readIntOrNull(row, "replay_of"));
  }

  @Override
  public boolean end(PartKey key, PartState state, @Nullable String result) {
    String sql =
        """
        UPDATE jt_part SET state = :state, result = :result
        WHERE batch_id = :batchId AND number = :number""";
    var values =
        new MapSqlParameterSource(
                Map.of("state", state.name(), "batchId", key.batchId(), "number", key.number()))
            .addValue("result", result);
    return database.update("record the end of " + key, sql, values) == 1;
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
