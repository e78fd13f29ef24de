package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.jobclient.internal.relay.DatabaseClock;
import io.millrace.jobclient.internal.relay.EnqueueWriter;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobclient.internal.relay.RelayTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is enqueued and relayed, and what is set aside. */
class RelayContractTest extends RelayTest {

  @Test
  void jobIsSubmittedIfItsTransactionCommits() throws SQLException {
    RelayDuty relay = relay();
    try (Connection connection = begin();
        Connection other = begin()) {
      writer.enqueue(connection, List.of(job("kept")));
      writer.enqueue(other, List.of(job("rolled-back")));
      run(relay);
      assertThat(tracker.log()).isEmpty();

      connection.commit();
      other.rollback();
    }
    run(relay);
    run(relay);

    assertThat(tracker.log()).containsExactly("kept");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
  }

  @Test
  void wakeBeforeARollbackDoesNoHarm() throws SQLException {
    RelayDuty relay = relay();
    try (Connection connection = begin()) {
      writer.enqueue(connection, List.of(job("rolled-back")));
      run(relay);
      connection.rollback();
    }
    enqueue("next");
    run(relay);

    assertThat(tracker.log()).containsExactly("next");
  }

  @Test
  void rowThatBecomesVisibleAfterAHigherIdIsSent() throws SQLException {
    RelayDuty relay = relay();
    try (Connection slow = begin()) {
      writer.enqueue(slow, List.of(job("low")));
      enqueue("high");
      run(relay);
      assertThat(tracker.log()).containsExactly("high");

      slow.commit();
    }
    run(relay);

    assertThat(tracker.log()).containsExactly("high", "low");
    assertThat(left()).isEmpty();
  }

  @Test
  void requestsOfATaskIdAreSentInTheirOrder() throws SQLException {
    enqueue("a");
    cancel("a");
    enqueue("b", "a");
    cancel("b");

    run(relay());

    assertThat(tracker.log().stream().filter(done -> done.endsWith("a")))
        .containsExactly("a", "-a", "a");
    assertThat(tracker.log().stream().filter(done -> done.endsWith("b")))
        .containsExactly("b", "-b");
    assertThat(left()).isEmpty();
  }

  @Test
  void nextRowOfATaskIdWaitsForTheAnswer() throws SQLException {
    RelayDuty relay = relay();
    enqueue("a");
    cancel("a");
    tracker.loseAnswers(1);

    run(relay);
    assertThat(tracker.log()).containsExactly("a");
    assertThat(left()).containsExactly("a", "a");

    clock.advance(Duration.ofSeconds(5));
    run(relay);
    assertThat(tracker.log()).containsExactly("a", "-a");
    assertThat(left()).isEmpty();
  }

  @Test
  void rejectedAndUnreadableRowsAreSetAsideAndHoldUpNothing() throws SQLException {
    tracker.verdict(
        job ->
            job.taskId().equals("bad")
                ? SubmitResult.rejected("bad", RejectReason.BAD_CRON, "no such field")
                : null);
    enqueue("bad", "torn", "strange", "another's", "good", "torn");
    String first = "UPDATE millrace_enqueued SET %s WHERE task_id = '%s'";
    database.execute(first.formatted("body = '{\"submissionId\"'", "torn"));
    database.execute(first.formatted("kind = 'DECLARE'", "strange"));
    database.execute(first.formatted("submission_id = 'other'", "another''s"));

    run(relay());

    assertThat(tracker.log()).containsExactly("good");
    assertThat(left()).isEmpty();
    assertThat(rejected("task_id"))
        .containsExactlyInAnyOrder("bad", "torn", "strange", "another's", "torn");
    assertThat(rejected("reason"))
        .containsExactlyInAnyOrder(
            "BAD_CRON", "UNREADABLE", "UNREADABLE", "UNREADABLE", "UNREADABLE");
    assertThat(rejected("message")).contains("no such field").doesNotContainNull();
  }

  @Test
  void rejectedRowCanBeEnqueuedAgain() throws SQLException {
    tracker.verdict(
        job -> SubmitResult.rejected("a", RejectReason.TOO_MANY_NODE_GROUPS, "there are many"));
    enqueue("a");
    RelayDuty relay = relay();
    run(relay);
    tracker.verdict(job -> null);

    database.execute(
        """
        INSERT INTO millrace_enqueued (submission_id, node_group, task_id, partition_no, kind, body,
          body_bytes, created_at)
        SELECT submission_id, node_group, task_id, partition_no, kind, body, body_bytes, created_at
        FROM millrace_enqueued_rejected""");
    run(relay);

    assertThat(tracker.log()).containsExactly("a");
    assertThat(left()).isEmpty();
  }

  @Test
  void duplicateEndsTheRow() throws SQLException {
    RelayDuty relay = relay();
    enqueue("a");
    enqueue("a");
    run(relay);

    assertThat(tracker.log()).containsExactly("a");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
  }

  @Test
  void rowsWaitForATrackerThatIsAwayHoweverLong() throws SQLException {
    RelayDuty relay = relay();
    run(relay);
    tracker.away(true);
    enqueue("a", "b");
    for (int minute = 0; minute < 60; minute++) {
      clock.advance(Duration.ofMinutes(1));
      run(relay);
    }
    assertThat(relay.lag().now()).isEqualTo(Duration.ofHours(1));
    clock.advance(Duration.ofDays(40));
    run(relay);
    assertThat(rejected("reason")).isEmpty();

    tracker.away(false);
    run(relay);

    assertThat(tracker.log()).containsExactlyInAnyOrder("a", "b");
    run(relay);
    assertThat(relay.lag().now()).isZero();
  }

  @Test
  void passSaysWhenItsRowsMayBeSent() throws SQLException {
    RelayDuty relay = relay();
    tracker.away(true);
    run(relay);
    assertThat(relay.nextLook()).isNull();

    enqueue("a");
    run(relay);
    assertThat(relay.nextLook()).isEqualTo(Duration.ofSeconds(1));

    tracker.away(false);
    tracker.loseAnswers(1);
    run(relay);
    Duration pause = relay.nextLook();
    assertThat(pause).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    clock.advance(Duration.ofMillis(20));
    run(relay);
    assertThat(relay.nextLook()).isEqualTo(pause.minusMillis(20));

    clock.advance(pause);
    run(relay);
    assertThat(relay.nextLook()).isNull();
    assertThat(left()).isEmpty();
  }

  @Test
  void rowThatWasSentLongAgoWithoutAnAnswerIsSetAside() throws SQLException {
    RelayDuty relay = relay();
    enqueue("sent");
    tracker.loseAnswers(1);
    run(relay);
    tracker.away(true);
    enqueue("never-sent");
    clock.advance(Duration.ofHours(36));
    tracker.away(false);
    tracker.loseRequests(1);
    run(relay);
    assertThat(rejected("reason")).isEmpty();

    clock.advance(Duration.ofSeconds(6));
    run(relay);

    assertThat(rejected("reason")).containsExactly("EXPIRED");
    assertThat(rejected("task_id")).containsExactly("sent");
    assertThat(tracker.log()).containsExactly("sent", "never-sent");
    assertThat(left()).isEmpty();
  }

  @Test
  void whatATrackerHasNoRoomForHoldsUpNoOtherGroupAndCountsAsNeverSent() throws SQLException {
    tracker.verdict(
        job ->
            job.nodeGroup().equals("orders")
                ? SubmitResult.rejected(job.taskId(), RejectReason.WAITING_FULL, "full")
                : null);
    enqueue(IntStream.range(0, 700).mapToObj(i -> "full-" + i).toArray(String[]::new));
    try (Connection connection = begin()) {
      writer.enqueue(connection, List.of(Job.builder("mail", "free").build()));
      connection.commit();
    }
    RelayDuty relay = relay();
    run(relay);

    assertThat(tracker.log()).containsExactly("free");
    assertThat(left()).hasSize(700);
    assertThat(database.query("SELECT id FROM millrace_enqueued WHERE first_sent_at IS NOT NULL"))
        .isEmpty();

    tracker.verdict(job -> null);
    clock.advance(Duration.ofDays(3));
    run(relay);
    assertThat(left()).isEmpty();
    assertThat(tracker.log()).hasSize(701);
  }

  @Test
  void manyRowsAreSentInPages() throws SQLException {
    enqueue(IntStream.range(0, 1_200).mapToObj(i -> "job-" + i).toArray(String[]::new));

    run(relay());

    assertThat(tracker.log())
        .containsExactlyElementsOf(IntStream.range(0, 1_200).mapToObj(i -> "job-" + i).toList());
    assertThat(tracker.requests()).allSatisfy(jobs -> assertThat(jobs).isLessThanOrEqualTo(500));
    assertThat(left()).isEmpty();
  }

  @Test
  void largeRowsAreSentInSmallerPages() throws SQLException {
    String large = "x".repeat(900_000);
    try (Connection connection = begin()) {
      for (int i = 0; i < 8; i++) {
        writer.enqueue(
            connection, List.of(Job.builder("orders", "large-" + i).param("text", large).build()));
      }
      connection.commit();
    }

    run(relay());

    assertThat(tracker.log()).hasSize(8);
    assertThat(tracker.requests()).containsOnly(1);
  }

  @Test
  void textsOfAllKindsArrive() throws SQLException {
    String text = "a'b\"c\\d\n\t\u0000\u00e4\u4e2d\ud83d\ude00";
    String taskId = "\u4e2d\u6587 \ud83d\ude00'x".repeat(16).substring(0, 96);
    try (Connection connection = begin()) {
      writer.enqueue(connection, List.of(Job.builder("orders", taskId).param("t", text).build()));
      connection.commit();
    }
    Job[] received = new Job[1];
    tracker.verdict(
        job -> {
          received[0] = job;
          return null;
        });

    run(relay());

    assertThat(received[0].params()).containsEntry("t", text);
    assertThat(tracker.log()).containsExactly(taskId);
  }

  @Test
  void uncommittedRowsOfTheApplicationHoldUpNothing() throws SQLException {
    RelayDuty relay = relay();
    enqueue("a", "b");
    try (Connection open = begin()) {
      writer.enqueue(open, List.of(job("open")));
      enqueue("c");
      run(relay);

      assertThat(tracker.log()).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(left()).isEmpty();
      open.commit();
    }
    run(relay);
    assertThat(tracker.log()).contains("open");
  }

  @Test
  void jobThatIsNotAllowedIsNotStoredAndTheTransactionGoesOn() throws SQLException {
    try (Connection connection = begin()) {
      List<Job> jobs = List.of(job("a"), Job.builder("orders", "b").priority(300).build());
      assertThatThrownBy(() -> writer.enqueue(connection, jobs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("job orders/b: BAD_PRIORITY: priority 300 must be between 0 and 255");
      assertThatThrownBy(() -> writer.cancel(connection, "or ders", "a"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("node group 'or ders'");
      writer.enqueue(connection, List.of(job("c")));
      connection.commit();
    }
    assertThat(left()).containsExactly("c");
  }

  @Test
  void connectionWithoutATransactionIsRefused() throws SQLException {
    try (Connection connection = database.connect()) {
      assertThatThrownBy(() -> writer.enqueue(connection, List.of(job("a"))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("commits each statement by itself");
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void clockOfTheDatabaseIsInEpochMilliseconds() throws SQLException {
    EnqueueWriter real = new EnqueueWriter(TABLES, clock, DatabaseClock.ITS_OWN, new Random(3));
    long before = System.currentTimeMillis();
    try (Connection connection = begin()) {
      real.enqueue(connection, List.of(job("a")));
      connection.commit();
    }
    long createdAt =
        Long.parseLong(database.query("SELECT created_at FROM millrace_enqueued").get(0));

    assertThat(createdAt).isBetween(before - 2_000, System.currentTimeMillis() + 2_000);
  }

  @Test
  void tablesMayHaveAnotherPrefix() throws SQLException {
    RelayTables tables = new RelayTables("shop_jobs_");
    EnqueueWriter own = new EnqueueWriter(tables, clock, databaseClock, new Random(4));
    try (Connection connection = database.connect()) {
      tables.create(connection);
    }
    try (Connection connection = begin()) {
      own.enqueue(connection, List.of(job("a")));
      connection.commit();
    }
    assertThat(database.query("SELECT task_id FROM shop_jobs_enqueued")).containsExactly("a");
    for (String table : List.of("enqueued", "enqueued_rejected", "enqueued_lease")) {
      database.execute("DROP TABLE shop_jobs_" + table);
    }
    assertThatThrownBy(() -> new RelayTables("a; DROP TABLE x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table prefix");
  }
}
