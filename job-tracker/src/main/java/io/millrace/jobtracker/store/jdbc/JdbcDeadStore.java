package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.DeadRowMapper;
import io.millrace.jobtracker.store.jdbc.row.DeadSearch;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The table {@code jt_dead}. */
final class JdbcDeadStore implements DeadStore {
  private static final int SETTLED_BY_CHARS = 128;
  private static final String SELECT = "SELECT " + DeadRowMapper.COLUMNS.list() + " FROM jt_dead ";

  private final Database database;
  private final RowsById byId;
  private final DeadSearch search;
  private final RowInsert<DeadTrigger> insert =
      RowInsert.into("jt_dead", DeadRowMapper.COLUMNS, dead -> dead.params().bytes());

  JdbcDeadStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_dead");
    this.search = new DeadSearch(database);
  }

  @Override
  public void append(List<DeadTrigger> dead) {
    database.insert("append " + dead.size() + " dead triggers", insert, dead);
  }

  @Override
  public Optional<DeadTrigger> find(long id) {
    return database.find(
        "find dead trigger " + id,
        SELECT + "WHERE id = :id",
        Map.of("id", id),
        DeadRowMapper::read);
  }

  @Override
  public List<DeadTrigger> find(Collection<Long> ids) {
    return byId.find(ids, DeadRowMapper.COLUMNS.listInlined(), DeadRowMapper::read).stream()
        .sorted(Comparator.comparing(JdbcDeadStore::placeOf).reversed())
        .toList();
  }

  /**
   * Each state is a separate index range. If the search stops early in one state, the page ends at
   * that place for all states, and the next page continues there.
   */
  @Override
  public Found search(Query query, AgeOrder order, @Nullable Place behind, int limit, int lookAt) {
    return database.call(
        "search the dead triggers",
        () -> {
          Comparator<Place> inOrder =
              order == AgeOrder.OLDEST_FIRST
                  ? Comparator.naturalOrder()
                  : Comparator.reverseOrder();
          List<Place> found = new ArrayList<>();
          Place reach = null;
          for (DeadState state : statesOf(query)) {
            DeadSearch.Range range = new DeadSearch.Range(query, state, order, behind);
            DeadSearch.Looked looked = search.look(range, limit, lookAt);
            found.addAll(looked.found());
            Place to = looked.reached();
            if (to != null && (reach == null || inOrder.compare(to, reach) < 0)) {
              reach = to;
            }
          }
          found.sort(inOrder);
          Place end = reach;
          List<Place> page =
              found.stream()
                  .filter(place -> end == null || inOrder.compare(place, end) <= 0)
                  .limit(limit)
                  .toList();
          return new Found(read(page, order), page.size() == limit ? page.get(limit - 1) : end);
        });
  }

  private List<DeadTrigger> read(List<Place> places, AgeOrder order) {
    List<DeadTrigger> dead =
        places.isEmpty() ? List.of() : find(places.stream().map(Place::id).toList());
    return order == AgeOrder.NEWEST_FIRST
        ? dead
        : dead.stream().sorted(Comparator.comparing(JdbcDeadStore::placeOf)).toList();
  }

  private static Place placeOf(DeadTrigger dead) {
    return new Place(dead.diedAt(), dead.id());
  }

  private static List<DeadState> statesOf(Query query) {
    return query.state() == null ? List.of(DeadState.values()) : List.of(query.state());
  }

  @Override
  public int count(Query query, @Nullable Place behind, int lookAt) {
    return database.call(
        "count dead triggers",
        () ->
            statesOf(query).stream()
                .map(state -> new DeadSearch.Range(query, state, AgeOrder.OLDEST_FIRST, behind))
                .mapToInt(range -> search.count(range, lookAt).found())
                .sum());
  }

  /**
   * After an unknown outcome, the retry recognises its own settlement by the time that it wrote.
   */
  @Override
  public boolean settle(long id, Settlement settlement) {
    String what = "settle dead trigger " + id;
    Replay replay = settlement.replay();
    String sql =
        """
        UPDATE jt_dead SET state = :state, settled_at = :at, settled_by = :by,
          replay_id = :replayId, replay_ordinal = :ordinal
        WHERE id = :id AND state %s"""
            .formatted(replay == null ? "= 'OPEN'" : "<> 'REPLAYED'");
    var values =
        new MapSqlParameterSource(Map.of("id", id, "state", settlement.state().name()))
            .addValue("at", settlement.at())
            .addValue("by", Columns.bounded(settlement.by(), SETTLED_BY_CHARS))
            .addValue("replayId", replay == null ? null : (Long) replay.id(), Types.BIGINT)
            .addValue("ordinal", replay == null ? null : (Integer) replay.ordinal(), Types.INTEGER);
    return database.win(
        what, () -> database.update(what, sql, values) == 1, () -> isSettledAs(id, settlement));
  }

  private boolean isSettledAs(long id, Settlement settlement) {
    return byId.lock(id)
        && find(id).map(DeadTrigger::settlement).filter(settlement::equals).isPresent();
  }

  @Override
  public boolean isReplayedAs(long id, Replay replay) {
    return byId.lock(id) && find(id).map(DeadTrigger::replay).filter(replay::equals).isPresent();
  }

  @Override
  public int delete(Collection<Long> ids) {
    return byId.delete(ids);
  }

  @Override
  public List<Long> findDiedBefore(long before, int limit) {
    Query query = new Query(null, null, null, Long.MIN_VALUE, before);
    return database.call(
        "find triggers that died before " + before,
        () ->
            statesOf(query).stream()
                .map(state -> new DeadSearch.Range(query, state, AgeOrder.OLDEST_FIRST, null))
                .flatMap(range -> search.look(range, limit, limit).found().stream())
                .map(Place::id)
                .toList());
  }
}
