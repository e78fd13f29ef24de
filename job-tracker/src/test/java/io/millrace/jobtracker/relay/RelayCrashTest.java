package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobclient.internal.relay.RelayDuty;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay that dies just before or just after each of its commits, and one that takes over. */
@Tag("long")
class RelayCrashTest extends RelayTest {
  private static final int MOST_COMMITS = 40;

  enum Moment {
    BEFORE,
    AFTER
  }

  /** Every commit behind the one at which the process dies fails too. */
  private static DataSource dyingAt(int commit, Moment moment) {
    AtomicInteger commits = new AtomicInteger();
    return PlainSource.committing(
        database::connect,
        connection -> {
          int number = commits.incrementAndGet();
          if (number == commit && moment == Moment.AFTER) {
            connection.commit();
          }
          if (number >= commit) {
            throw new SQLException("the process is dead");
          }
          connection.commit();
        });
  }

  @ParameterizedTest
  @EnumSource
  void everyCommittedRowBecomesExactlyOneJob(Moment moment) throws SQLException {
    int mostLogged = 0;
    for (int commit = 1; commit <= MOST_COMMITS; commit++) {
      empty();
      RelayTracker cluster = new RelayTracker();
      List<String> orders = enqueueOrders("c" + commit + moment);
      RelayDuty dying = relay(cluster.link(), dyingAt(commit, moment));
      run(dying);
      run(dying);
      mostLogged = Math.max(mostLogged, cluster.log().size());

      clock.advance(LEASE);
      RelayDuty next = relay(cluster.link(), source());
      run(next);
      run(next);

      List<String> log = cluster.log();
      String cancelled = orders.get(0);
      assertThat(log.stream().filter(done -> !done.startsWith("-")))
          .as("the jobs, when it dies %s commit %d", moment, commit)
          .containsExactlyInAnyOrderElementsOf(orders);
      assertThat(log.indexOf("-" + cancelled)).isGreaterThan(log.indexOf(cancelled));
      assertThat(log.lastIndexOf("-" + cancelled)).isLessThan(log.lastIndexOf(cancelled));
      assertThat(cluster.living(orders.get(0))).isNotNull();
      assertThat(left()).isEmpty();
      assertThat(rejected("reason")).isEmpty();
    }
    assertThat(mostLogged).isPositive();
  }

  /**
   * Orders and their jobs in transactions, of which one is rolled back; what is to be carried out.
   */
  private List<String> enqueueOrders(String name) throws SQLException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String order = name + "-" + i;
      try (Connection connection = begin();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO app_order (name) VALUES (?)")) {
        insert.setString(1, order);
        insert.executeUpdate();
        writer.enqueue(connection, List.of(job(order)));
        if (i == 3) {
          connection.rollback();
          continue;
        }
        connection.commit();
        expected.add(order);
      }
    }
    cancel(expected.get(0));
    enqueue(expected.get(0));
    expected.add(expected.get(0));
    return expected;
  }
}
