package io.millrace.spring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.jobtracker.relay.PostgresServer;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link TransactionalJobsTest} on the servers in which applications keep their tables. */
class TransactionalJobsOnServersTest {
  private static TestTracker tracker;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start();
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  private static void assertJobsFollowTheTransactions(String... dataSource) {
    TransactionalJobsTest.application(tracker)
        .withPropertyValues(dataSource)
        .withPropertyValues("millrace.enqueue.table-prefix=app_")
        .run(TransactionalJobsTest::assertJobsFollowTheTransactions);
  }

  /** MariaDB, by its own driver; or the server that the run names. */
  @Test
  @Tag("database")
  void onMariaDbOrMySql() {
    try (TestDatabase database = TestDatabase.Kind.server().openEmpty()) {
      StoreConfig config = database.config();
      assertJobsFollowTheTransactions(
          "spring.datasource.url=" + EmbeddedServerTest.urlOfApplication(database),
          "spring.datasource.username=" + config.username(),
          "spring.datasource.password=" + config.password());
    }
  }

  @Test
  void onPostgreSql() {
    assumeTrue(PostgresServer.running().isPresent(), "no PostgreSQL on this machine");
    assertJobsFollowTheTransactions(
        "spring.datasource.url=" + PostgresServer.running().orElseThrow().url("postgres"));
  }
}
