package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row of {@code jt_batch}: column mapping in both directions. */
public final class BatchRowMapper {
  private static final RowColumns<PartEnds> ENDED =
      RowColumns.<PartEnds>of()
          .number("succeeded", PartEnds::succeeded)
          .number("failed", PartEnds::failed)
          .number("dead", PartEnds::dead)
          .number("cancelled", PartEnds::cancelled)
          .number("skipped", PartEnds::skipped);

  private static final RowColumns<PartCounts> COUNTS =
      RowColumns.<PartCounts>of()
          .number("total", PartCounts::total)
          .number("released", PartCounts::released)
          .part(PartCounts::ended, ENDED)
          .number("replaced", PartCounts::replaced);

  /** The columns of the run are those of its execution. */
  public static final RowColumns<Batch> COLUMNS =
      RowColumns.<Batch>of()
          .part(Batch::run, ExecutingRowMapper.COLUMNS)
          .name("kind", Batch::kind)
          .name("state", Batch::state)
          .part(Batch::counts, COUNTS)
          .flag("all_ended", batch -> batch.state().isUnderWay() && batch.counts().isAllEnded())
          .name("on_part_failure", Batch::onPartFailure)
          .name("reduce_state", Batch::reduce)
          .number("parent_id", batch -> batch.ancestry().parent())
          .number("root_id", batch -> batch.ancestry().root())
          .number("depth", batch -> batch.ancestry().depth())
          .number("opened_at", Batch::openedAt)
          .number("deadline", Batch::deadline)
          .text("stop_reason", batch -> batch.stop() == null ? null : batch.stop().name())
          .number("bytes", Batch::bytes)
          .number("parts_below", Batch::partsBelow)
          .number("write_seq", batch -> 0);

  private BatchRowMapper() {}

  public static Batch read(ResultSet row, int rowNumber) throws SQLException {
    return new Batch(
        ExecutingRowMapper.read(row, rowNumber),
        BatchKind.valueOf(row.getString("kind")),
        BatchState.valueOf(row.getString("state")),
        readCounts(row),
        PartFailurePolicy.valueOf(row.getString("on_part_failure")),
        ReduceState.valueOf(row.getString("reduce_state")),
        readAncestry(row),
        Columns.readLongOrNull(row, "opened_at"),
        Columns.readLongOrNull(row, "deadline"),
        readStop(row),
        row.getLong("bytes"),
        row.getInt("parts_below"));
  }

  public static PartCounts readCounts(ResultSet row) throws SQLException {
    return new PartCounts(
        row.getInt("total"),
        row.getInt("released"),
        new PartEnds(
            row.getInt("succeeded"),
            row.getInt("failed"),
            row.getInt("dead"),
            row.getInt("cancelled"),
            row.getInt("skipped")),
        row.getInt("replaced"));
  }

  public static Ancestry readAncestry(ResultSet row) throws SQLException {
    return new Ancestry(
        Columns.readLongOrNull(row, "parent_id"), row.getLong("root_id"), row.getInt("depth"));
  }

  private static @Nullable BatchStop readStop(ResultSet row) throws SQLException {
    String reason = row.getString("stop_reason");
    return reason == null ? null : BatchStop.valueOf(reason);
  }
}
