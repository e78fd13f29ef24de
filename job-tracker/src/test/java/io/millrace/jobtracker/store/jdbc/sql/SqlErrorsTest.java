package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import java.sql.SQLException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.UncategorizedSQLException;

class SqlErrorsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HY000 | 1290 | running with the --read-only option
          25006 | 1792 | in a READ ONLY transaction
          HY000 | 1836 | in read-only mode
          HY000 | 1021 | disk full
          HY000 | 1114 | the table is full
          08004 | 1040 | too many connections
          42000 | 1203 | the user has too many connections
          08S01 | 1053 | shutdown in progress
          70100 | 1317 | query interrupted
          70100 | 1927 | connection was killed
          08S01 |    0 | communications link failure
          08S01 | 1047 | WSREP has not yet prepared node for application use
          S1009 |    0 | Connection is read-only. Queries leading to data modification are not allowed.
          """)
  void whatMySqlMayDoAgainLaterIsUnavailable(String state, int code, String reason) {
    assertThat(translated(new MySqlDialect(), new SQLException(reason, state, code)))
        .isExactlyInstanceOf(StoreUnavailableException.class)
        .hasMessage("insert: " + reason);
  }

  @ParameterizedTest
  @CsvSource({"90097,read only", "90028,IO exception", "90031,disk full"})
  void whatH2MayDoAgainLaterIsUnavailable(int code, String reason) {
    assertThat(translated(new H2Dialect(), new SQLException(reason, "90", code)))
        .isExactlyInstanceOf(StoreUnavailableException.class);
  }

  @ParameterizedTest
  @CsvSource({"42S02,1146,no such table", "22001,1406,data too long"})
  void whatIsWrongWithTheStatementIsNot(String state, int code, String reason) {
    assertThat(translated(new MySqlDialect(), new SQLException(reason, state, code)))
        .isExactlyInstanceOf(StoreException.class);
  }

  /** Deadlock or abort by a cluster, and what else says that the transaction may be run again. */
  @ParameterizedTest
  @CsvSource({"40001,1213", "HY000,1205", "HY000,1020", "40000,3101", "8004,9007", "42000,1461"})
  void whatAnotherTransactionEndedMayRunAgain(String state, int code) {
    assertThat(translated(new MySqlDialect(), new SQLException("", state, code)))
        .isExactlyInstanceOf(LostToConcurrencyException.class);
  }

  @Test
  void connectionThatTheDriverMadeReadOnlyIsLeft() {
    MySqlDialect dialect = new MySqlDialect();

    assertThat(
            dialect.isConnectionLost(new SQLException("Connection is read-only. Queries", "S1009")))
        .isTrue();
    assertThat(dialect.isConnectionLost(new SQLException("Parameter index out of range", "S1009")))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1290,true", "1836,true", "1114,false", "1146,false"})
  void aServerThatBecameReadOnlyIsLeft(int code, boolean left) {
    assertThat(new MySqlDialect().isConnectionLost(new SQLException("", "HY000", code)))
        .isEqualTo(left);
  }

  @ParameterizedTest
  @CsvSource({"1290,true", "1792,true", "1836,true", "1021,true", "1114,true", "1040,false"})
  void whoMayStillReadIsToldApart(int code, boolean refusesWrites) {
    assertThat(translated(new MySqlDialect(), new SQLException("", "HY000", code)))
        .asInstanceOf(InstanceOfAssertFactories.type(StoreUnavailableException.class))
        .matches(error -> error.refusesWrites() == refusesWrites);
  }

  private static StoreException translated(Dialect dialect, SQLException error) {
    return new SqlErrors(dialect)
        .translate("insert", new UncategorizedSQLException("insert", "INSERT", error));
  }
}
