package io.millrace.console.api.batch;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.batch.BatchRoutes.PartPage;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a batch by pages: those that run, then those that wait, then those that have
 * ended, the latest first. That is the order in which a failure is looked for, and against the one
 * in which parts move: one that moves meanwhile may come twice or not at all. Thread-safe.
 *
 * @param direction the order of the numbers of parts that run, and of those that wait
 * @param language of the causes
 */
record PartPages(Stores stores, WorkerStore workers, Direction direction, Locale language) {
  /** The most rows of the ledger that one page examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  private enum Section {
    RUNNING,
    WAITING,
    ENDED
  }

  /** A place in a section: behind a number, or behind a row of the ledger. */
  private record Place(Section section, long first, long second) {

    static Place startOf(Section section, Direction direction) {
      if (section == Section.ENDED) {
        return new Place(section, Long.MAX_VALUE, Long.MAX_VALUE);
      }
      return new Place(section, direction == Direction.ASCENDING ? 0 : Integer.MAX_VALUE, 0);
    }

    static Place read(String text) {
      Cursor cursor = Cursor.read(text, 3);
      return new Place(section(cursor.text(0)), cursor.number(1), cursor.number(2));
    }

    private static Section section(String name) {
      return Arrays.stream(Section.values())
          .filter(section -> section.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  Kind.BAD_REQUEST.because(
                      "the query parameter 'after' must be the 'next' of a page"));
    }

    String cursor() {
      return Cursor.of(section.name(), first, second);
    }
  }

  /** Parts of one section, and where it goes on; null at its end. */
  private record Part(List<PartSummary> rows, @Nullable Place next) {}

  /**
   * Returns a page.
   *
   * @param nodeGroup of the batch
   * @param state only parts in this state; null for all
   * @param isEnded whether the run has ended, so that no part waits or runs
   */
  PartPage read(
      String nodeGroup,
      long batchId,
      @Nullable PartCondition state,
      boolean isEnded,
      @Nullable String after,
      int limit) {
    Place place =
        after == null
            ? Place.startOf(isEnded ? Section.ENDED : Section.RUNNING, direction)
            : Place.read(after);
    List<PartSummary> rows = new ArrayList<>();
    for (Section section : Section.values()) {
      if (section.compareTo(place.section()) < 0 || !isAsked(section, state)) {
        continue;
      }
      Place from = section == place.section() ? place : Place.startOf(section, direction);
      if (rows.size() == limit) {
        return new PartPage(rows, from.cursor());
      }
      Part part = read(nodeGroup, batchId, state, from, limit - rows.size());
      rows.addAll(part.rows());
      if (part.next() != null) {
        return new PartPage(rows, part.next().cursor());
      }
    }
    return new PartPage(rows, null);
  }

  private static boolean isAsked(Section section, @Nullable PartCondition state) {
    return state == null
        || section == (state.isEnd() ? Section.ENDED : Section.valueOf(state.name()));
  }

  private Part read(
      String nodeGroup, long batchId, @Nullable PartCondition state, Place from, int limit) {
    TriggerKey behind = new TriggerKey(PartKey.taskIdOf(batchId), 0, (int) from.first());
    return switch (from.section()) {
      case RUNNING -> byNumber(running(nodeGroup, behind, limit), Section.RUNNING, limit);
      case WAITING -> byNumber(waiting(nodeGroup, behind, limit), Section.WAITING, limit);
      case ENDED -> ended(batchId, state, from, limit);
    };
  }

  private static Part byNumber(List<PartSummary> rows, Section section, int limit) {
    return new Part(
        rows,
        rows.size() < limit ? null : new Place(section, rows.get(rows.size() - 1).number(), 0));
  }

  private List<PartSummary> waiting(String nodeGroup, TriggerKey behind, int limit) {
    return stores.waiting().readByTask(nodeGroup, direction, behind, limit).stream()
        .map(PartSummary::waiting)
        .toList();
  }

  private List<PartSummary> running(String nodeGroup, TriggerKey behind, int limit) {
    List<Execution> rows = stores.runs().readByTask(nodeGroup, direction, behind, limit);
    if (rows.isEmpty()) {
      return List.of();
    }
    Set<Long> ids = rows.stream().map(Execution::id).collect(Collectors.toSet());
    Set<String> holders = rows.stream().map(Execution::workerId).collect(Collectors.toSet());
    Map<Long, ExecutionProgress> progress = workers.progress(holders, ids);
    Set<Long> split =
        stores.batchViews().find(ids).stream()
            .filter(batch -> batch.state().isUnderWay())
            .map(Batch::id)
            .collect(Collectors.toSet());
    return rows.stream()
        .map(row -> PartSummary.running(row, split.contains(row.id()), progress.get(row.id())))
        .toList();
  }

  /** Leaves out the attempts that another one followed. */
  private Part ended(long batchId, @Nullable PartCondition state, Place from, int limit) {
    LedgerStatus status = state == null ? null : state.status();
    LedgerStore.FoundOfJob found =
        stores
            .ledger()
            .searchJob(
                batchId,
                new LedgerStore.Search(null, status, null, 0, Long.MAX_VALUE),
                new LedgerStore.Place(from.first(), from.second()),
                limit,
                LOOK_AT);
    LedgerStore.Place next = found.next();
    Map<Long, DeadState> dead = dead(found.rows());
    return new Part(
        found.rows().stream()
            .filter(row -> row.status().isFinal())
            .map(row -> PartSummary.ended(row, dead.get(row.id()), language))
            .toList(),
        next == null ? null : new Place(Section.ENDED, next.plannedFor(), next.id()));
  }

  private Map<Long, DeadState> dead(List<LedgerEntry> rows) {
    List<Long> ids =
        rows.stream()
            .filter(row -> row.status() == LedgerStatus.DEAD)
            .map(LedgerEntry::id)
            .toList();
    return ids.isEmpty()
        ? Map.of()
        : stores.dead().find(ids).stream()
            .collect(Collectors.toMap(DeadTrigger::id, DeadTrigger::state));
  }
}
