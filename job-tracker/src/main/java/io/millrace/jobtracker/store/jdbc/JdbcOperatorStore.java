package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** The tables {@code jt_operator_token} and {@code jt_operator_session}. */
final class JdbcOperatorStore implements OperatorStore {
  private static final int EXPIRED_AT_A_TIME = 100;
  private static final int MAX_ADDRESS = 64;

  private record Issued(Token token, String hash) {}

  private static final RowColumns<Token> COLUMNS =
      RowColumns.<Token>of()
          .number("id", Token::id)
          .text("name", Token::name)
          .name("role", token -> token.rights().role())
          .number("created_at", Token::createdAt)
          .text("created_by", Token::createdBy)
          .number("revoked_at", Token::revokedAt)
          .number("renewed_at", Token::renewedAt)
          .number("expires_at", Token::expiresAt)
          .text("node_groups", token -> token.rights().groups().text())
          .text("operated_groups", token -> operatedBy(token.rights()))
          .part(
              Token::lastUse,
              RowColumns.<Use>of()
                  .number("last_used_at", Use::at)
                  .text("last_used_from", MAX_ADDRESS, Use::from))
          .text("identity", Token::identity);
  private static final String TOKEN = COLUMNS.listOf("token");
  private static final String SELECT = "SELECT " + TOKEN + " FROM jt_operator_token token ";

  private final Database database;
  private final RowInsert<Issued> insert =
      RowInsert.into(
          "jt_operator_token",
          RowColumns.<Issued>of().part(Issued::token, COLUMNS).text("token_hash", Issued::hash),
          issued -> 0);

  JdbcOperatorStore(Database database) {
    this.database = database;
  }

  @Override
  public void issue(Token token, String tokenHash) {
    database.insert(
        "issue the token of " + token.name(), insert, List.of(new Issued(token, tokenHash)));
  }

  /**
   * Trackers that start at the same time issue the token under the same name, so that only one of
   * them succeeds.
   */
  @Override
  public boolean issueFirst(Token token, String tokenHash) {
    if (!list(Long.MIN_VALUE, 1).isEmpty()) {
      return false;
    }
    try {
      issue(token, tokenHash);
      return true;
    } catch (DuplicateKeyException e) {
      return findByHash(tokenHash).isPresent();
    }
  }

  @Override
  public Optional<Token> findByHash(String tokenHash) {
    String sql = SELECT + "WHERE token_hash = :hash AND revoked_at IS NULL";
    return database.find("find a token", sql, Map.of("hash", tokenHash), JdbcOperatorStore::read);
  }

  @Override
  public Optional<Token> findByName(String name) {
    String sql = SELECT + "WHERE name = :name AND revoked_at IS NULL";
    return database.find(
        "find the token of " + name, sql, Map.of("name", name), JdbcOperatorStore::read);
  }

  @Override
  public List<Token> list(AgeOrder order, long behindId, int limit) {
    String sql = SELECT + "WHERE id ${beyond} :behindId ORDER BY id ${direction} LIMIT :limit";
    return database.list(
        "list tokens",
        DirectedSql.of(sql, order),
        Map.of("behindId", behindId, "limit", limit),
        JdbcOperatorStore::read);
  }

  /**
   * After an unknown outcome, the retry recognises its own revocation by the time that it wrote.
   */
  @Override
  public boolean revoke(String name, long now) {
    String what = "revoke the token of " + name;
    String revoke =
        "UPDATE jt_operator_token SET revoked_at = :now WHERE name = :name AND revoked_at IS NULL";
    String endSessions =
        """
        DELETE FROM jt_operator_session
        WHERE token_id IN (SELECT id FROM jt_operator_token WHERE name = :name)""";
    String isOurs =
        "UPDATE jt_operator_token SET revoked_at = :now WHERE name = :name AND revoked_at = :now";
    Map<String, ?> values = Map.of("now", now, "name", name);
    return database.win(
        what,
        () -> {
          boolean revoked = database.updateOne(what, revoke, values);
          database.update(what, endSessions, values);
          return revoked;
        },
        () -> database.updateOne(what, isOurs, values));
  }

  /** After an unknown outcome, the retry recognises its own renewal by the new secret. */
  @Override
  public boolean renew(String name, Renewal renewal, @Nullable String keptSession) {
    String what = "renew the token of " + name;
    String renew =
        """
        UPDATE jt_operator_token
        SET token_hash = :hash, renewed_at = :now, expires_at = :expires
        WHERE name = :name AND revoked_at IS NULL AND identity IS NULL""";
    String endSessions =
        """
        DELETE FROM jt_operator_session
        WHERE token_id IN (SELECT id FROM jt_operator_token WHERE name = :name)
          AND session_hash <> :kept""";
    String isOurs =
        "UPDATE jt_operator_token SET token_hash = :hash WHERE name = :name AND token_hash = :hash";
    SqlParameterSource values =
        new MapSqlParameterSource()
            .addValue("name", name)
            .addValue("hash", renewal.tokenHash())
            .addValue("now", renewal.at())
            .addValue("expires", renewal.expiresAt(), Types.BIGINT)
            .addValue("kept", keptSession == null ? "" : keptSession);
    return database.win(
        what,
        () -> {
          boolean renewed = database.update(what, renew, values) == 1;
          if (renewed) {
            database.update(what, endSessions, values);
          }
          return renewed;
        },
        () -> database.update(what, isOurs, values) == 1);
  }

  /** Of trackers that admit a new person at the same time, one stores the person. */
  @Override
  public Optional<Token> admit(Token person, String tokenHash) {
    String identity = Objects.requireNonNull(person.identity());
    Optional<Token> known = findPerson(identity);
    if (known.isEmpty()) {
      try {
        issue(person, tokenHash);
        return Optional.of(person);
      } catch (DuplicateKeyException e) {
        known = findPerson(identity);
        if (known.isEmpty()) {
          throw e;
        }
      }
    }
    return known
        .filter(stored -> stored.revokedAt() == null)
        .map(stored -> changed(stored, person));
  }

  private Optional<Token> findPerson(String identity) {
    return database.find(
        "find a person",
        SELECT + "WHERE identity = :identity",
        Map.of("identity", identity),
        JdbcOperatorStore::read);
  }

  /** Stores what the person may do now, if it is not what was stored. */
  private Token changed(Token stored, Token now) {
    if (stored.rights().equals(now.rights())) {
      return stored;
    }
    String what = "change what " + stored.name() + " may do";
    String change =
        """
        UPDATE jt_operator_token
        SET role = :role, node_groups = :groups, operated_groups = :operated
        WHERE id = :id""";
    String endSessions = "DELETE FROM jt_operator_session WHERE token_id = :id";
    SqlParameterSource values =
        new MapSqlParameterSource()
            .addValue("id", stored.id())
            .addValue("role", now.rights().role().name())
            .addValue("groups", now.rights().groups().text(), Types.VARCHAR)
            .addValue("operated", operatedBy(now.rights()), Types.VARCHAR);
    database.run(
        what,
        () -> {
          int unusedRows = database.update(what, change, values);
          int unusedSessions = database.update(what, endSessions, values);
        });
    return stored.with(now.rights());
  }

  private static @Nullable String operatedBy(Rights rights) {
    return rights.operated() == null ? null : rights.operated().text();
  }

  /** After an unknown outcome, the retry recognises that the person is not revoked any more. */
  @Override
  public boolean restore(String name) {
    String what = "restore " + name;
    String restore =
        """
        UPDATE jt_operator_token SET revoked_at = NULL
        WHERE name = :name AND identity IS NOT NULL AND revoked_at IS NOT NULL""";
    String isOurs =
        """
        UPDATE jt_operator_token SET revoked_at = NULL
        WHERE name = :name AND identity IS NOT NULL AND revoked_at IS NULL""";
    Map<String, ?> values = Map.of("name", name);
    return database.win(
        what,
        () -> database.updateOne(what, restore, values),
        () -> database.updateOne(what, isOurs, values));
  }

  @Override
  public void used(long tokenId, Use use) {
    database.update(
        "record a use of a token",
        """
        UPDATE jt_operator_token SET last_used_at = :at, last_used_from = :address
        WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)""",
        Map.of(
            "id",
            tokenId,
            "at",
            use.at(),
            "address",
            Objects.requireNonNull(Columns.bounded(use.from(), MAX_ADDRESS))));
  }

  @Override
  public boolean beginSession(String sessionHash, Session session, long now) {
    String what = "begin a session of " + session.token().name();
    String expired =
        """
        SELECT session_hash FROM jt_operator_session WHERE expires_at <= :now
        ORDER BY expires_at LIMIT :limit""";
    // Locks the row: a renewal deletes the sessions that are there.
    String isAsRead =
        """
        UPDATE jt_operator_token SET renewed_at = renewed_at
        WHERE id = :token AND revoked_at IS NULL AND COALESCE(renewed_at, 0) = :renewedAt""";
    String insert =
        """
        INSERT INTO jt_operator_session (session_hash, token_id, created_at, expires_at)
        VALUES (:session, :token, :now, :expires)""";
    Map<String, ?> values =
        Map.of(
            "session",
            sessionHash,
            "token",
            session.token().id(),
            "now",
            now,
            "expires",
            session.expiresAt(),
            "renewedAt",
            Objects.requireNonNullElse(session.token().renewedAt(), 0L));
    return database.call(
        what,
        () -> {
          if (database.update(what, isAsRead, values) == 0) {
            return false;
          }
          database
              .list(what, expired, Map.of("now", now, "limit", EXPIRED_AT_A_TIME), String.class)
              .forEach(this::endSession);
          endSession(sessionHash);
          database.update(what, insert, values);
          return true;
        });
  }

  @Override
  public Optional<Session> findSession(String sessionHash, long now) {
    String sql =
        "SELECT session.expires_at AS session_ends, "
            + TOKEN
            + """
             FROM jt_operator_session session JOIN jt_operator_token token ON token.id = session.token_id
            WHERE session.session_hash = :hash AND session.expires_at > :now
              AND token.revoked_at IS NULL
              AND (token.expires_at IS NULL OR token.expires_at > :now)""";
    return database.find(
        "find a session",
        sql,
        Map.of("hash", sessionHash, "now", now),
        (row, number) -> new Session(read(row, number), row.getLong("session_ends")));
  }

  @Override
  public void endSession(String sessionHash) {
    database.update(
        "end a session",
        "DELETE FROM jt_operator_session WHERE session_hash = :hash",
        Map.of("hash", sessionHash));
  }

  private static Token read(ResultSet row, int rowNumber) throws SQLException {
    Long usedAt = Columns.readLongOrNull(row, "last_used_at");
    String usedFrom = row.getString("last_used_from");
    return new Token(
        row.getLong("id"),
        row.getString("name"),
        readRights(row),
        row.getLong("created_at"),
        row.getString("created_by"),
        Columns.readLongOrNull(row, "revoked_at"),
        Columns.readLongOrNull(row, "renewed_at"),
        Columns.readLongOrNull(row, "expires_at"),
        usedAt == null || usedFrom == null ? null : new Use(usedAt, usedFrom),
        row.getString("identity"));
  }

  private static Rights readRights(ResultSet row) throws SQLException {
    String operated = row.getString("operated_groups");
    return Rights.read(
        Role.valueOf(row.getString("role")),
        NodeGroups.read(row.getString("node_groups")),
        operated == null ? null : NodeGroups.read(operated));
  }
}
