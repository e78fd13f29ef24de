package io.millrace.torture.process;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobclient.TransactionalJobs;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.EndOfRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import javax.sql.DataSource;

/** An application that takes orders, each with a job in the same transaction, until it dies. */
final class RelayAppMain {
  static final String TRACKERS = "trackers";
  static final String URL = "url";
  static final String PREFIX = "prefix";

  /** What the names of the orders begin with. */
  static final String NAME = "name";

  static final String ORDERS = "orders";
  static final String MOMENT = "moment";
  static final String COUNT = "count";
  static final String SEED = "seed";

  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int ROLLED_BACK_OF = 4;

  private RelayAppMain() {}

  public static void main(String[] words) throws SQLException {
    Arguments arguments = Arguments.of(words);
    DataSource source =
        new DyingSource(
                arguments.text(URL),
                DyingSource.Moment.valueOf(arguments.text(MOMENT)),
                arguments.integer(COUNT))
            .source();
    TransactionalJobs jobs = TransactionalJobs.withTablePrefix(arguments.text(PREFIX));
    try (EndOfRun end = EndOfRun.watch();
        JobClient client =
            JobClient.builder()
                .trackers(arguments.list(TRACKERS))
                .requestTimeout(Duration.ofSeconds(5))
                .build();
        JobRelay relay =
            JobRelay.builder(client, source)
                .tablePrefix(arguments.text(PREFIX))
                .lease(LEASE)
                .poll(POLL)
                .build()) {
      relay.start();
      takeOrders(arguments, source, jobs, relay);
      end.asked().join();
    }
  }

  private static void takeOrders(
      Arguments arguments, DataSource source, TransactionalJobs jobs, JobRelay relay)
      throws SQLException {
    Random random = new Random(arguments.number(SEED));
    for (int i = 0; i < arguments.integer(ORDERS); i++) {
      String order = arguments.text(NAME) + "-" + i;
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO " + arguments.text(PREFIX) + "app_order (name) VALUES (?)")) {
          insert.setString(1, order);
          int unused = insert.executeUpdate();
        }
        String id = jobs.enqueue(connection, Job.builder("orders", order).param("id", "1").build());
        if (random.nextInt(ROLLED_BACK_OF) == 0) {
          relay.wake();
          connection.rollback();
        } else {
          connection.commit();
          relay.wake();
        }
      }
    }
  }
}
