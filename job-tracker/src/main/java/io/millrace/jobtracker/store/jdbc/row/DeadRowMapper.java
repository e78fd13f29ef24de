package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row of {@code jt_dead}: column mapping in both directions. */
public final class DeadRowMapper {
  private static final RowColumns<Replay> REPLAY =
      RowColumns.<Replay>of()
          .number("replay_id", Replay::id)
          .number("replay_ordinal", Replay::ordinal);
  private static final RowColumns<Settlement> SETTLEMENT =
      RowColumns.<Settlement>of()
          .number("settled_at", Settlement::at)
          .text("settled_by", Settlement::by)
          .part(Settlement::replay, REPLAY);

  public static final RowColumns<DeadTrigger> COLUMNS =
      RowColumns.<DeadTrigger>of()
          .number("id", DeadTrigger::id)
          .text("node_group", DeadTrigger::nodeGroup)
          .part(DeadTrigger::core, TriggerColumns.CORE)
          .number("priority", DeadTrigger::priority)
          .number("died_at", DeadTrigger::diedAt)
          .part(DeadTrigger::cause, TriggerColumns.CAUSE)
          .json("spec", DeadTrigger::spec)
          .number("replay_of", DeadTrigger::replayOf)
          .number("parts", DeadTrigger::parts)
          .name("state", DeadTrigger::state)
          .part(DeadTrigger::settlement, SETTLEMENT)
          .params(DeadTrigger::params, DeadTrigger::key);

  private DeadRowMapper() {}

  public static DeadTrigger read(ResultSet row, int rowNumber) throws SQLException {
    return new DeadTrigger(
        row.getLong("id"),
        row.getString("node_group"),
        TriggerColumns.readCore(row),
        row.getInt("priority"),
        row.getLong("died_at"),
        TriggerColumns.readCause(row),
        Columns.readJsonOrNull(row, "spec", TriggerSpec.class),
        TriggerColumns.readParams(row),
        Columns.readLongOrNull(row, "replay_of"),
        Columns.readIntOrNull(row, "parts"),
        readSettlement(row));
  }

  private static @Nullable Settlement readSettlement(ResultSet row) throws SQLException {
    Long at = Columns.readLongOrNull(row, "settled_at");
    if (at == null) {
      return null;
    }
    Long replayId = Columns.readLongOrNull(row, "replay_id");
    return new Settlement(
        at,
        row.getString("settled_by"),
        replayId == null ? null : new Replay(replayId, row.getInt("replay_ordinal")));
  }
}
