package io.millrace.jobtracker.store.jdbc.batch;

import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.batch.BatchStore.Staged;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.ExecutingRowMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parts that an attempt stores before it ends. Locks the batch at the top, which counts the parts
 * of all below; then the execution, whose row decides; then its own batch.
 */
final class StagedParts {
  private final Database database;

  StagedParts(Database database) {
    this.database = database;
  }

  private record Request(
      String workerId, long id, int first, List<PartDraft> parts, @Nullable Lane lane) {
    int before() {
      return first - 1;
    }

    int last() {
      return before() + parts.size();
    }

    long bytes() {
      return parts.stream().mapToLong(part -> part.params().bytes()).sum();
    }

    String what() {
      return "stage parts of execution " + id;
    }
  }

  /** How much there is already. */
  private record Sizes(long parts, long bytes) {}

  Staged stage(
      String workerId, long executionId, int first, List<PartDraft> parts, @Nullable Lane lane) {
    Request request = new Request(workerId, executionId, first, parts, lane);
    return database.call(
        request.what(),
        () -> {
          Optional<Execution> run = find(request);
          Optional<Ancestry> ancestry = run.flatMap(it -> ancestry(request, it));
          return ancestry.isEmpty() ? Staged.LOST : stage(request, run.get(), ancestry.get());
        });
  }

  private Optional<Execution> find(Request request) {
    return database.find(
        request.what(),
        "SELECT %s FROM jt_executing WHERE id = :id AND worker_id = :workerId"
            .formatted(ExecutingRowMapper.COLUMNS.list()),
        Map.of("id", request.id(), "workerId", request.workerId()),
        ExecutingRowMapper::read);
  }

  /** Empty if the batch of a part is gone, and with it the part. */
  private Optional<Ancestry> ancestry(Request request, Execution run) {
    Optional<PartKey> part = PartKey.of(run.core());
    return part.isEmpty()
        ? Optional.of(Ancestry.ofRoot(run.id()))
        : database.find(
            request.what(),
            "SELECT root_id, depth FROM jt_batch WHERE id = :id",
            Map.of("id", part.get().batchId()),
            (row, number) ->
                new Ancestry(
                    part.get().batchId(), row.getLong("root_id"), row.getInt("depth") + 1));
  }

  private Staged stage(Request request, Execution run, Ancestry ancestry) {
    if (ancestry.depth() > BatchBounds.MAX_DEPTH) {
      return Staged.TOO_DEEP;
    }
    if (ancestry.parent() != null && !countBelow(request.what(), ancestry.root(), 0)) {
      return Staged.LOST;
    }
    if (!advance(request, request.before(), request.last())) {
      return answerAgain(request);
    }
    Staged answer = fault(request, ancestry);
    if (answer == Staged.STORED) {
      store(request, run, ancestry);
    } else {
      boolean unused = advance(request, request.last(), request.before());
    }
    return answer;
  }

  /** Also locks the batch at the top: it is written even if nothing is to be added. */
  private boolean countBelow(String what, long root, int parts) {
    return database.updateOne(
        what,
        """
        UPDATE jt_batch SET parts_below = parts_below + :parts, write_seq = write_seq + 1
        WHERE id = :root""",
        Map.of("root", root, "parts", parts));
  }

  private boolean advance(Request request, int before, int after) {
    return database.updateOne(
        request.what(),
        """
        UPDATE jt_executing SET staged = :after
        WHERE id = :id AND worker_id = :workerId AND staged = :before AND stop_requested = FALSE""",
        Map.of(
            "id", request.id(), "workerId", request.workerId(), "before", before, "after", after));
  }

  private Staged answerAgain(Request request) {
    int stored =
        database
            .find(
                request.what(),
                """
                SELECT staged FROM jt_executing
                WHERE id = :id AND worker_id = :workerId AND stop_requested = FALSE""",
                Map.of("id", request.id(), "workerId", request.workerId()),
                Integer.class)
            .orElse(-1);
    if (stored < 0) {
      return Staged.LOST;
    }
    return stored >= request.last() ? Staged.STORED : Staged.CONFLICT;
  }

  private Staged fault(Request request, Ancestry ancestry) {
    Sizes own = sizes(request, request.id(), "total");
    long parts =
        ancestry.parent() == null
            ? own.parts()
            : sizes(request, ancestry.root(), "total + parts_below").parts();
    if (parts + request.parts().size() > BatchBounds.MAX_PARTS) {
      return Staged.TOO_MANY;
    }
    return own.bytes() + request.bytes() > BatchBounds.MAX_BYTES ? Staged.TOO_LARGE : Staged.STORED;
  }

  private Sizes sizes(Request request, long id, String parts) {
    return database
        .find(
            request.what(),
            "SELECT %s AS parts, bytes FROM jt_batch WHERE id = :id".formatted(parts),
            Map.of("id", id),
            (row, number) -> new Sizes(row.getLong("parts"), row.getLong("bytes")))
        .orElse(new Sizes(0, 0));
  }

  private void store(Request request, Execution run, Ancestry ancestry) {
    if (request.first() == 1) {
      Execution splits = request.lane() == null ? run : run.in(request.lane());
      database.insert(
          request.what(),
          JdbcBatchStore.INSERT,
          List.of(Batch.staged(splits, request.parts().size(), request.bytes(), ancestry)));
    } else {
      int unused =
          database.update(
              request.what(),
              "UPDATE jt_batch SET total = total + :parts, bytes = bytes + :bytes WHERE id = :id",
              Map.of(
                  "id", request.id(), "parts", request.parts().size(), "bytes", request.bytes()));
    }
    if (ancestry.parent() != null) {
      boolean unused = countBelow(request.what(), ancestry.root(), request.parts().size());
    }
    List<Part> parts =
        IntStream.range(0, request.parts().size())
            .mapToObj(
                i -> {
                  PartDraft draft = request.parts().get(i);
                  return Part.of(
                      new PartKey(request.id(), request.first() + i),
                      draft.handler(),
                      draft.params());
                })
            .toList();
    database.insert(request.what(), JdbcPartStore.INSERT, parts);
  }

  /** Deletes a staged batch, and takes its parts from the count at the top. */
  boolean delete(long id) {
    String what = "delete staged batch " + id;
    String read = "SELECT root_id, total FROM jt_batch WHERE id = :id AND state = 'STAGED'";
    String delete = "DELETE FROM jt_batch WHERE id = :id AND state = 'STAGED'";
    return database.call(
        what,
        () -> {
          database
              .find(
                  what,
                  read,
                  Map.of("id", id),
                  (row, number) -> Map.entry(row.getLong("root_id"), row.getInt("total")))
              .filter(of -> of.getKey() != id)
              .ifPresent(
                  of -> {
                    boolean unused = countBelow(what, of.getKey(), -of.getValue());
                  });
          return database.updateOne(what, delete, Map.of("id", id));
        });
  }
}
