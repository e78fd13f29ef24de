package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.common.codec.Codec;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row of {@code jt_dead}: column mapping in both directions. */
public final class DeadRowMapper {
  public static final List<String> COLUMNS =
      List.of(
          "id",
          "node_group",
          "task_id",
          "planned_at",
          "ordinal",
          "job_id",
          "job_version",
          "planned_for",
          "priority",
          "attempt",
          "died_at",
          "cause",
          "spec",
          "replay_of",
          "state",
          "settled_at",
          "settled_by",
          "replay_id",
          "replay_ordinal",
          "params_bytes",
          "params");

  private final Codec codec;

  public DeadRowMapper(Codec codec) {
    this.codec = codec;
  }

  public void bind(DeadTrigger dead, Parameters parameters) throws SQLException {
    TriggerSpec spec = dead.spec();
    Settlement settlement = dead.settlement();
    Replay replay = dead.replay();
    parameters.number(dead.id()).text(dead.nodeGroup());
    Columns.bindKey(dead.key(), parameters);
    parameters
        .number(dead.jobId())
        .number(dead.jobVersion())
        .number(dead.plannedFor())
        .number(dead.priority())
        .number(dead.attempt())
        .number(dead.diedAt());
    Columns.bindCause(dead.cause(), parameters);
    parameters
        .text(spec == null ? null : codec.encodeText(spec))
        .numberOrNull(dead.replayOf())
        .name(dead.state())
        .numberOrNull(settlement == null ? null : (Long) settlement.at())
        .text(settlement == null ? null : settlement.by())
        .numberOrNull(replay == null ? null : (Long) replay.id())
        .numberOrNull(replay == null ? null : (Integer) replay.ordinal());
    Columns.bindParams(dead.params(), dead.key(), parameters);
  }

  public DeadTrigger read(ResultSet row, int rowNumber) throws SQLException {
    String spec = row.getString("spec");
    return new DeadTrigger(
        row.getLong("id"),
        row.getString("node_group"),
        Columns.readKey(row),
        row.getLong("job_id"),
        row.getInt("job_version"),
        row.getLong("planned_for"),
        row.getInt("priority"),
        row.getInt("attempt"),
        row.getLong("died_at"),
        Columns.readCause(row),
        spec == null ? null : codec.decodeText(spec, TriggerSpec.class),
        new StoredParams(row.getInt("params_bytes"), row.getString("params")),
        Columns.readLongOrNull(row, "replay_of"),
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
