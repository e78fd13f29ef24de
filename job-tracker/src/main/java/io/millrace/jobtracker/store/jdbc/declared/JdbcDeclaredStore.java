package io.millrace.jobtracker.store.jdbc.declared;

import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.store.declared.DeclaredStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.row.RowsById;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** The tables {@code jt_declaration_owner}, {@code jt_declaration} and {@code jt_declared}. */
public final class JdbcDeclaredStore implements DeclaredStore {
  private static final RowColumns<DeclaredJob> COLUMNS = DeclaredRowMapper.COLUMNS;
  private static final String SELECT = "SELECT " + COLUMNS.list() + " FROM jt_declared ";

  private static final RowColumns<String> NEW_OWNER =
      RowColumns.<String>of()
          .text("owner", name -> name)
          .number("revision", name -> null)
          .text("declaration_id", name -> "")
          .number("pages", name -> 0)
          .number("jobs", name -> 0)
          .number("begun_at", name -> 0)
          .number("write_seq", name -> 0);

  private final Database database;
  private final RowsById byId;
  private final RowInsert<DeclaredJob> insert =
      RowInsert.into("jt_declared", COLUMNS.number("write_seq", row -> 0), row -> 0);
  private final RowInsert<String> insertOwner;

  public JdbcDeclaredStore(Database database) {
    this.database = database;
    this.byId = new RowsById(database, "jt_declared");
    this.insertOwner =
        new RowInsert<>(
            rows ->
                database
                    .dialect()
                    .insertUnlessExists(
                        "jt_declaration_owner", NEW_OWNER.names(), List.of("owner"), rows),
            NEW_OWNER,
            name -> 0);
  }

  /** The row is inserted only where the update finds none: an insert would lock more. */
  @Override
  public Owner lockOwner(String owner) {
    String what = "lock owner '" + owner + "'";
    String write = "UPDATE jt_declaration_owner SET write_seq = write_seq + 1 WHERE owner = :owner";
    Map<String, ?> key = Map.of("owner", owner);
    return database.call(
        what,
        () -> {
          if (!database.updateOne(what, write, key)) {
            database.insert(what, insertOwner, List.of(owner));
            int unused = database.update(what, write, key);
          }
          return readOwner(what, owner);
        });
  }

  private Owner readOwner(String what, String owner) {
    return database
        .find(
            what,
            """
        SELECT revision, declaration_id, pages, jobs FROM jt_declaration_owner
        WHERE owner = :owner""",
            Map.of("owner", owner),
            (row, number) ->
                new Owner(
                    owner,
                    Columns.readLongOrNull(row, "revision"),
                    row.getString("declaration_id"),
                    row.getInt("pages"),
                    row.getInt("jobs")))
        .orElseThrow();
  }

  @Override
  public boolean hasBegun(String declarationId) {
    return database.single(
            "look up declaration " + declarationId,
            "SELECT COUNT(*) FROM jt_declaration WHERE declaration_id = :id",
            Map.of("id", declarationId),
            Long.class)
        > 0;
  }

  @Override
  public void begin(String owner, String declarationId, @Nullable Long revision, long now) {
    String what = "begin declaration " + declarationId + " of owner '" + owner + "'";
    String record =
        """
        INSERT INTO jt_declaration (declaration_id, owner, begun_at)
        VALUES (:id, :owner, :now)""";
    String write =
        """
        UPDATE jt_declaration_owner
        SET write_seq = write_seq + 1, declaration_id = :id, revision = :revision, pages = 0,
            jobs = 0, begun_at = :now
        WHERE owner = :owner""";
    MapSqlParameterSource values =
        new MapSqlParameterSource(Map.of("id", declarationId, "owner", owner, "now", now))
            .addValue("revision", revision, Types.BIGINT);
    database.run(
        what,
        () -> {
          int recorded =
              database.update(
                  what, record, Map.of("id", declarationId, "owner", owner, "now", now));
          int written = database.update(what, write, values);
          if (recorded != 1 || written != 1) {
            throw new IllegalStateException("owner '" + owner + "' is not locked");
          }
        });
  }

  @Override
  public void pageApplied(String owner, int pages, int jobs) {
    int unused =
        database.update(
            "record page " + pages + " of owner '" + owner + "'",
            """
            UPDATE jt_declaration_owner SET write_seq = write_seq + 1, pages = :pages, jobs = :jobs
            WHERE owner = :owner""",
            Map.of("owner", owner, "pages", pages, "jobs", jobs));
  }

  /** Writes first and then reads: after the write no other transaction can change these rows. */
  @Override
  public List<DeclaredJob> lock(String nodeGroup, Collection<String> taskIds) {
    String what = "lock " + taskIds.size() + " declared jobs of node group " + nodeGroup;
    String select =
        database.dialect().selectByTasks("id", "jt_declared", "node_group = :nodeGroup");
    String write = "UPDATE jt_declared SET write_seq = write_seq + 1 WHERE id IN (:ids)";
    return database.call(
        what,
        () -> {
          List<Long> ids =
              database.listByTasks(
                  what,
                  select,
                  taskIds,
                  Map.of("nodeGroup", nodeGroup),
                  (row, number) -> row.getLong("id"));
          int unused = database.updateByIds(what, write, ids, Map.of());
          return byId.find(ids, COLUMNS.list(), DeclaredRowMapper::read);
        });
  }

  @Override
  public Optional<DeclaredJob> find(String nodeGroup, String taskId) {
    return database.find(
        "find declared job " + nodeGroup + "/" + taskId,
        SELECT + "WHERE node_group = :nodeGroup AND task_id = :taskId",
        Map.of("nodeGroup", nodeGroup, "taskId", taskId),
        DeclaredRowMapper::read);
  }

  @Override
  public void insert(List<DeclaredJob> rows) {
    database.insert("insert " + rows.size() + " declared jobs", insert, rows);
  }

  @Override
  public void update(DeclaredJob row) {
    String sql = "UPDATE jt_declared SET " + COLUMNS.sets() + " WHERE id = :id";
    int unused =
        database.update("update " + DeclaredRowMapper.nameOf(row), sql, COLUMNS.values(row));
  }

  @Override
  public void mark(Collection<Long> ids, Latest latest) {
    String what = "mark " + ids.size() + " declared jobs of owner '" + latest.owner() + "'";
    RowColumns<Latest> columns = DeclaredRowMapper.LATEST;
    String sql = "UPDATE jt_declared SET " + columns.sets() + " WHERE id IN (:ids)";
    MapSqlParameterSource values = columns.values(latest);
    database.run(
        what,
        () ->
            InLists.of(ids)
                .forEach(list -> database.update(what, sql, values.addValue("ids", list))));
  }

  @Override
  public List<DeclaredJob> findMissing(String owner, String declarationId, int limit) {
    return database.list(
        "find the jobs that owner '" + owner + "' no longer declares",
        SELECT
            + """
            WHERE owner = :owner AND retired_at IS NULL AND declaration_id <> :declarationId
            ORDER BY owner, id
            LIMIT :limit""",
        Map.of("owner", owner, "declarationId", declarationId, "limit", limit),
        DeclaredRowMapper::read);
  }

  @Override
  public List<DeclaredJob> findRetired(String owner, String declarationId, int page) {
    return database.list(
        "find the jobs of owner '" + owner + "' that page " + page + " has retired",
        SELECT
            + """
            WHERE owner = :owner AND retired_at IS NOT NULL AND declaration_id = :declarationId
              AND page = :page
            ORDER BY owner, id""",
        Map.of("owner", owner, "declarationId", declarationId, "page", page),
        DeclaredRowMapper::read);
  }

  @Override
  public int forget(long begunBefore, int limit) {
    String sql =
        database
            .dialect()
            .deleteFirst(
                "jt_declaration", "begun_at < :before", List.of("begun_at", "declaration_id"));
    return database.update(
        "forget old declarations", sql, Map.of("before", begunBefore, "limit", limit));
  }
}
