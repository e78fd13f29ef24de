package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the server says of the statements that it has prepared for a connection. */
@Tag("database")
class LongStatementsTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.onServer();
    connection = StoreConnections.ofStores(database.config()).getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMPORARY TABLE number (n INT PRIMARY KEY)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    database.close();
  }

  private void insert(int first, int rows) throws SQLException {
    String sql = RowInsert.statement("number", List.of("n"), rows);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < rows; i++) {
        statement.setInt(i + 1, first + i);
      }
      assertThat(statement.executeUpdate()).isEqualTo(rows);
    }
  }

  private int prepared() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'")) {
      assertThat(row.next()).isTrue();
      return row.getInt(2);
    }
  }

  @Test
  void statementsOfUpTo64ParametersArePreparedOnce() throws SQLException {
    int before = prepared();

    insert(0, 64);
    insert(100, 64);

    assertThat(prepared()).isEqualTo(before + 1);
  }

  @Test
  void longerOnesAreNotPrepared() throws SQLException {
    int before = prepared();

    insert(0, 65);

    assertThat(prepared()).isEqualTo(before);
  }

  @Test
  void theirErrorsAreThoseOfTheDriver() throws SQLException {
    insert(0, 65);

    assertThatThrownBy(() -> insert(0, 65))
        .isInstanceOf(SQLIntegrityConstraintViolationException.class);
    assertThatThrownBy(() -> connection.setTransactionIsolation(77))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void theConnectionEqualsItself() {
    assertThat(new HashSet<>(List.of(connection, connection))).hasSize(1);
  }
}
