package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Schedule;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.model.LogLevel;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.JobLogStore.Filter;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.KnownJobStore;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.ListCounts.Running;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.DuePlace;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.kept.KeptStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What a query costs, asked of the database itself while much waits. */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
class IndexUseTest {
  private static final int WAITING = 100_000;
  private static final int PRIORITIES = 50;

  /** An execution with many log lines. */
  private static final long LOGGING = 1_000_000;

  private static final StatementRecorder recorder = new StatementRecorder();
  private static TestDatabase database;
  private static Stores stores;
  private static QueryCost cost;

  private final TestDatabase.Kind kind;

  IndexUseTest(TestDatabase.Kind kind) {
    this.kind = kind;
  }

  @BeforeParameterizedClassInvocation
  static void fill(TestDatabase.Kind kind) throws SQLException {
    database = kind.open();
    cost = new QueryCost(database);
    StoreConfig config = database.config();
    stores =
        JdbcStores.over(
                recorder.over(
                    new DriverManagerDataSource(
                        config.effectiveUrl(), config.username(), config.password())),
                config.dialect())
            .stores();
    stores.nodeGroups().ensure("orders", 10);
    database.execute(
        """
        INSERT INTO jt_waiting_orders
        SELECT x, CONCAT('task-', MOD(x, 1000)), x, 0, 1, 1, x, x, MOD(x, %d), 1, 0, NULL, 0, NULL,
          FALSE, NULL, NULL, NULL, NULL, 0, NULL
        FROM %s\
        """
            .formatted(PRIORITIES, kind.numbers(WAITING)));
    database.execute(
        """
        INSERT INTO jt_job
        SELECT x, CONCAT('group-', MOD(x, 10)), CONCAT('task-', x), 1, 'ACTIVE', '{}', '{}', 0,
          NULL, 100, 0, 0, CASE WHEN MOD(x, 4) = 1 THEN x END, 0, FALSE, 0,
          NULL, NULL, NULL, 0, 0, 0
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_executing
        SELECT x, CONCAT('group-', MOD(x, 10)), CONCAT('task-', x), x, 0, 1, 1, x, x, 100, 1, 0,
          '{}', 0, NULL, 'worker', 0, FALSE, FALSE, NULL, 0, 0
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_batch
        SELECT x, CONCAT('group-', MOD(x, 10)), CONCAT('task-', x), x, 0, 1, 1, x, x, 100, 1, 0,
          '{"retry":{},"chained":false,"feedback":false,"clientGroup":"","submissionId":"","submittedBy":""}',
          0, NULL, 'worker', 0, FALSE, FALSE, NULL, 'MAP', 'OPEN', 1, 0, 0, 0, 0, 0, 0, 0,
          CASE WHEN MOD(x, 100) = 3 THEN TRUE ELSE FALSE END, 'FINISH', 'NONE', MOD(x, 10000), x,
          2, 1, NULL, NULL, 0, 0, 0, NULL
        FROM %s\
        """
            .formatted(kind.numbers(2_000)));
    database.execute(
        """
        INSERT INTO jt_part
        SELECT MOD(x, 10) + 1, x, 'NOT_ENDED', 0, NULL, NULL, NULL, NULL, 0, NULL, NULL FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_feedback
        SELECT x, CONCAT('client-', MOD(x, 10)), 'orders', 'a', 0, 0, 'DEAD', 1, NULL, 0, NULL
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_job_submission
        SELECT MOD(x, 200), x, CONCAT('submit-', x), x
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_job_version
        SELECT MOD(x, 200), x, x, 'CLIENT', 'c', NULL, CONCAT('submit-', x), '{}', '{}', 100, 0, NULL
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_history
        SELECT x, 'orders', CONCAT('task-', MOD(x, 10)), x, 0, MOD(x, 10), 1, 'SUCCEEDED', TRUE,
          TRUE, NULL, 1, x, x, 1, x, 0, NULL, NULL, 0, NULL, NULL, NULL, CONCAT('submit-', MOD(x, 10)),
          NULL, NULL, NULL
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_dead
        SELECT x, CONCAT('group-', MOD(x, 10)), CONCAT('task-', MOD(x, 1000)), x, 0, 1, 1, x, 100, 1,
          x, NULL, NULL, 0, NULL, NULL,
          CASE WHEN x <= 100 THEN 'OPEN' WHEN MOD(x, 2) = 0 THEN 'REPLAYED' ELSE 'DISCARDED' END,
          CASE WHEN x > 100 THEN 1 END, NULL,
          CASE WHEN x > 100 AND MOD(x, 2) = 0 THEN x END, NULL, NULL
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute("INSERT INTO jt_result SELECT x, x, 1, '1' FROM " + kind.numbers(20_000));
    database.execute(
        """
        INSERT INTO jt_kept
        SELECT x - MOD(x, 2), 0, 0, CONCAT('step-', x), 'STEP', '1', 1, x, x, 'orders', 'a', 0
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        """
        INSERT INTO jt_declared
        SELECT x, CONCAT('group-', MOD(x, 10)), CONCAT('task-', x), CONCAT('owner-', MOD(x, 100)),
          NULL, '{}', 's', CASE WHEN MOD(x, 1000) = 7 THEN 'd-1' ELSE 'd-2' END, 0, 'ADDED', NULL, 1,
          CASE WHEN MOD(x, 2000) = 8 THEN 5 END, NULL, NULL, NULL, NULL, 0, 0
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
    database.execute(
        "INSERT INTO jt_declaration SELECT CONCAT('d-', x), 'a', x FROM " + kind.numbers(20_000));
    database.execute(
        "INSERT INTO jt_relay SELECT CONCAT('r-', x), x, x FROM " + kind.numbers(20_000));
    database.execute(
        "INSERT INTO jt_job_log SELECT x, 1, 0, 'INFO', 'a line' FROM " + kind.numbers(20_000));
    database.execute(
        "INSERT INTO jt_job_log SELECT %d, x, 0, 'INFO', 'a line' FROM %s"
            .formatted(LOGGING, kind.numbers(10_000)));
    database.execute(
        """
        INSERT INTO jt_audit
        SELECT x, x, 'ann', 'OPERATE', '::1', 'pauseJob', '/', NULL, 200, NULL,
          CONCAT('orders/task-', MOD(x, 100))
        FROM %s\
        """
            .formatted(kind.numbers(20_000)));
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() throws SQLException {
    cost.close();
    database.close();
  }

  /**
   * Tests run in no order that they could rely on: what one of them or the filling asked is no
   * other's.
   */
  @BeforeEach
  void forgetWhatWasAskedBefore() {
    recorder.take();
  }

  @Test
  void dueTriggersAreOneRangeReadOfTheirIndexWithoutASort() throws SQLException {
    assertThat(stores.waiting().readDue("orders", 7, 10_000, 90_000, 100)).hasSize(100);

    Recorded query = lastQuery();
    assertThat(plan(query))
        .contains(kind == TestDatabase.Kind.H2 ? "jt_waiting_orders_due" : "ix_due")
        .satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(1L, 102L);
  }

  @Test
  void readingOnWithinAnInstantIsOneRangeReadOfTheIndexWithoutASort() throws SQLException {
    long dueAt = stores.waiting().readDue("orders", 7, 10_000, 90_000, 1).get(0).dueAt();
    recorder.take();
    assertThat(stores.waiting().readDueAt("orders", 7, dueAt, 0, 100)).hasSize(1);

    Recorded query = lastQuery();
    assertThat(plan(query))
        .contains(kind == TestDatabase.Kind.H2 ? "jt_waiting_orders_due" : "ix_due")
        .satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(1L, 3L);
  }

  /** On H2, two: it looks at this lane and at those behind it. */
  @Test
  void nextLevelIsOneSkipOfTheIndex() throws SQLException {
    assertThat(stores.waiting().nextLevel("orders", 7)).contains(new WaitingStore.Level(8, 8));

    Recorded query = lastQuery();
    assertThat(plan(query))
        .contains(kind == TestDatabase.Kind.H2 ? "jt_waiting_orders_due" : "ix_due")
        .satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(1L, kind.isServer() ? 2L : 4L);
  }

  @Test
  void countingDueTriggersReadsNoMoreThanTheBound() throws SQLException {
    assertThat(stores.waiting().countDue("orders", WAITING, 150)).isEqualTo(150);

    long read = 0;
    for (Recorded query : recorder.take()) {
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, and their copies that MariaDB counts").isBetween(150L, 310L);
  }

  @Test
  void triggersOfOneTaskAreFoundByTheirKey() throws SQLException {
    assertThat(stores.waiting().findByTask("orders", "task-7")).hasSize(100);
    Recorded byTask = lastQuery();
    assertThat(plan(byTask)).satisfies(this::doesNotSort);
    assertThat(rowsRead(byTask)).isBetween(100L, 102L);

    stores.waiting().findOneShots("orders", List.of("task-7", "task-8", "task-9"));
    assertThat(rowsRead(lastQuery())).isLessThan(20);
  }

  @Test
  void nextTriggersOfOneTaskAreOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.waiting().findByTask("orders", "task-7", 50_000, 5)).hasSize(5);

    Recorded query = lastQuery();
    assertThat(plan(query)).satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(5L, 7L);
  }

  @Test
  void taskIdsNearOneCostNoMoreThanTheRowsAskedFor() throws SQLException {
    stores.waiting().oneShotsNear("orders", "task-7", 100);
    for (Recorded query : recorder.take()) {
      assertThat(rowsRead(query)).as("the rows, and their copies").isBetween(100L, 310L);
    }

    assertThat(stores.jobs().liveTasksNear("group-3", "task-5003", 100)).hasSize(200);
    for (Recorded query : recorder.take()) {
      assertThat(rowsRead(query)).as("the rows, and their copies").isBetween(100L, 310L);
    }
  }

  @Test
  void jobsOfOneTaskIdInManyGroupsAreFoundByTheirKeys() throws SQLException {
    List<String> groups = IntStream.range(0, 100).mapToObj(i -> "group-" + i).toList();

    assertThat(stores.jobs().groupsWithTask(groups, "task-13")).containsExactly("group-3");

    assertThat(rowsRead(lastQuery())).isLessThan(310);
  }

  @Test
  void runsOfTaskIdsAreFoundInTwoIndexesByOneStatement() throws SQLException {
    stores.runs().findByTask("group-3", "none", 10);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(4);

    stores.runs().findByTasks("group-3", List.of("none", "nothing"));
    List<Recorded> queries = recorder.take();
    assertThat(queries).hasSize(1);
    assertThat(rowsRead(queries.get(0))).isLessThanOrEqualTo(12);
  }

  @Test
  void batchesOfAGroupAreFoundByIndex() throws SQLException {
    stores.batches().findAllEnded("group-3", 0, 100);
    Recorded ended = lastQuery();
    assertThat(plan(ended)).contains("ix_batch_ended").satisfies(this::doesNotSort);
    assertThat(rowsRead(ended)).isBetween(20L, 22L);

    stores.batches().findStopping("group-3", 0, 100);
    assertThat(plan(lastQuery())).contains("ix_batch").satisfies(this::doesNotSort);
    stores.batches().findToRelease("group-3", 0, 256, 100);
    assertThat(plan(lastQuery())).contains("ix_batch").satisfies(this::doesNotSort);
    stores.batches().findByTask("group-3", "task-13");
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(3);

    stores.batches().findLeftStaged("group-3", 0, 100);
    Recorded leftStaged = lastQuery();
    assertThat(plan(leftStaged)).contains("ix_batch_ended");
    assertThat(rowsRead(leftStaged)).isLessThan(600);

    assertThat(stores.batches().hasAny("group-3")).isTrue();
    Recorded any = lastQuery();
    assertThat(plan(any)).contains("ix_batch_ended");
    assertThat(rowsRead(any)).isBetween(1L, 2L);
    assertThat(stores.batches().hasAny("none")).isFalse();
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(1);

    stores.batches().findBelow(List.of(17L));
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(3);

    stores.batches().countLive(17);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(3);

    stores.batches().findToStop("group-3", 0, 1, 100);
    assertThat(rowsRead(lastQuery())).isLessThan(600);
  }

  @Test
  void batchesAreListedWithoutReadingThoseOfOtherGroups() throws SQLException {
    assertThat(stores.batchViews().list("group-3", 0, 10)).hasSize(10);
    Recorded ofGroup = lastQuery();
    assertThat(plan(ofGroup)).contains("ix_batch_ended");
    assertThat(rowsRead(ofGroup)).isLessThanOrEqualTo(50);

    assertThat(stores.batchViews().list(null, 500, 10)).hasSize(10);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(12);
  }

  @Test
  void batchesOfAGroupAreAddedUpByIndex() throws SQLException {
    assertThat(stores.batchViews().stats("group-3", 20, 5).open()).isEqualTo(20);

    Recorded counted = lastQuery();
    assertThat(plan(counted)).contains("ix_batch_ended");
    assertThat(rowsRead(counted)).isLessThanOrEqualTo(50);
  }

  @Test
  void runningPartsOfBatchesAreCountedByIndex() throws SQLException {
    assertThat(stores.batchViews().countRunning("group-3", List.of(1L, 2L, 3L))).isEmpty();

    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(20);
  }

  @Test
  void endsOfPartsAreCountedUpToTheBound() throws SQLException {
    assertThat(stores.batchViews().countEnds(7, 5).isCut()).isTrue();

    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(20);
  }

  @Test
  void batchesThatHaveStoredPartsAreListedWithoutReadingTheParts() throws SQLException {
    assertThat(stores.parts().batches(0, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);

    long read = 0;
    for (Recorded query : recorder.take()) {
      read += rowsRead(query);
    }
    assertThat(read).isLessThanOrEqualTo(15);
  }

  @Test
  void endsOfPartsAreReadByTheirRun() throws SQLException {
    stores.ledger().countEndsOfParts(Integer.MAX_VALUE);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(2);

    stores.ledger().endsOfParts(Integer.MAX_VALUE, 10);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(2);
  }

  @Test
  void latestRowsOfAJobInTheLedgerAreOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.ledger().findLatest(1, 5_000, 15_000, 50)).hasSize(50);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_history_job").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(50L, 52L);
  }

  @Test
  void latestEndsOfManyJobsAreOneRangeReadOfEach() throws SQLException {
    assertThat(stores.ledger().findLatestEnds(List.of(1L, 2L, 3L, 4L, 99L), 20, 60))
        .hasSize(4)
        .allSatisfy((job, ends) -> assertThat(ends).hasSize(20));

    List<Recorded> queries = recorder.take();
    assertThat(queries).hasSize(1);
    assertThat(plan(queries.get(0))).contains("ix_history_job");
    assertThat(rowsRead(queries.get(0)))
        .as("of four jobs, the rows, and their copies")
        .isBetween(4 * 20L, 4 * (20L + 20) + 10);
  }

  @Test
  void searchOfTheLedgerReadsNoMoreThanItWasAllowed() throws SQLException {
    assertThat(stores.ledger().searchOneShot("orders", "task-7", 15_000).rows()).isEqualTo(15_000);

    List<Recorded> pages = recorder.take();
    long read = 0;
    for (Recorded query : pages) {
      assertThat(plan(query)).doesNotContain("filesort");
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, and their copies").isBetween(15_000L, 45_100L);
  }

  @Test
  void triggersOfTasksThatHaveNotBegunAreRangeReadsOfTheirKeyWithoutASort() throws SQLException {
    assertThat(stores.waiting().findOldestUnbegun("orders", "task-7", 50_000, 20)).hasSize(20);
    Recorded oldest = lastQuery();
    assertThat(plan(oldest)).satisfies(this::doesNotSort);
    assertThat(rowsRead(oldest)).isBetween(20L, 22L);

    List<String> taskIds = List.of("task-7", "task-8", "task-9", "none-1");
    assertThat(stores.waiting().findUnbegun("orders", taskIds, 50_000, 1_000)).hasSize(150);
    assertThat(rowsRead(lastQuery())).isLessThan(170);
    assertThat(stores.waiting().findUnbegun("orders", taskIds, 50_000, 60)).hasSize(60);
    assertThat(rowsRead(lastQuery())).isLessThan(170);
  }

  @Test
  void executionsAndJobsOfManyTasksAreFoundByTheirKeys() throws SQLException {
    List<String> taskIds = IntStream.range(0, 100).mapToObj(i -> "none-" + i).toList();

    stores.executing().findByTasks("group-3", taskIds);
    assertThat(rowsRead(lastQuery())).isLessThan(310);
    stores.jobs().findByTasks("group-3", taskIds);
    assertThat(rowsRead(lastQuery())).isLessThan(310);
  }

  @Test
  void whatIsKnownOfManyJobsIsLookedUpInFourIndexesByOneStatement() throws SQLException {
    List<KnownJobStore.Identity> jobs =
        IntStream.range(0, 100)
            .mapToObj(i -> new KnownJobStore.Identity("none-" + i, "new-" + i))
            .toList();

    assertThat(stores.knownJobs().findKnown("group-3", jobs)).isEmpty();

    List<Recorded> queries = recorder.take();
    assertThat(queries).hasSize(1);
    Recorded query = queries.get(0);
    if (kind.isServer()) {
      assertThat(plan(query))
          .contains(
              "uq_executing_trigger", "ix_batch_task", "uq_job_task", "ix_history_submission");
    }
    assertThat(rowsRead(query))
        .as("a step in each index for each job, and on servers the list itself")
        .isBetween(100L, 1_010L);
  }

  @Test
  void jobsToGenerateAreOneRangeReadWithoutASort() throws SQLException {
    assertThatThrownBy(() -> stores.jobs().findToGenerate("group-3", 15_000, 50))
        .as("the rows hold no real schedule: the query is asked for, not its result")
        .isInstanceOf(CodecException.class);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_job_generate").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(50L, 52L);
  }

  @Test
  void jobsAreAdvancedByTheirIdsAndNotByAScan() throws SQLException {
    List<JobStore.Advance> advances =
        LongStream.range(0, 64).mapToObj(this::advanceOfNobody).toList();

    assertThat(stores.jobs().advanceAll(advances)).isZero();

    assertThat(plan(lastQuery()))
        .contains(kind == TestDatabase.Kind.H2 ? ": id = given.job_id" : "eq_ref");
  }

  private JobStore.Advance advanceOfNobody(long id) {
    JobDefinition job =
        new JobDefinition(
            id,
            "group-3",
            "task-" + id,
            7,
            JobState.ACTIVE,
            new Schedule.Repeat(Duration.ofSeconds(30), null, null),
            SampleTriggers.SPEC,
            StoredParams.NONE,
            100,
            0,
            0,
            null,
            0,
            false);
    return new JobStore.Advance(0, job);
  }

  @Test
  void whatFallsDueNextIsAStepOfTheIndexForEachPriority() throws SQLException {
    assertThat(stores.waiting().nextDue("orders", 50_000)).hasValue(50_001);

    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).satisfies(this::doesNotSort);
      read += rowsRead(query);
    }
    assertThat(read).isBetween(2L * PRIORITIES, (kind.isServer() ? 5L : 7L) * PRIORITIES);
  }

  @Test
  void nextTimeToGenerateIsOneSkipOfTheIndex() throws SQLException {
    assertThat(stores.jobs().nextGenerateAt("group-3")).isEqualTo(13);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_job_generate").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(1L, 2L);
  }

  @Test
  void feedbackOfOneClientGroupIsOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.feedback().read("client-3", 5_000, 50)).hasSize(50);

    Recorded query = lastQuery();
    assertThat(plan(query)).satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(50L, 52L);
  }

  @Test
  void latestPlannedInstantOfAJobIsOneStepInTheIndexWithoutASort() throws SQLException {
    assertThat(stores.ledger().latestPlanned(3, 15_000)).hasValue(14_993);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_history_job").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(1L, 2L);
  }

  @Test
  void rowOfASubmissionIsOneStepInTheIndex() throws SQLException {
    assertThat(stores.ledger().findBySubmission("submit-3")).isPresent();

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_history_submission");
    assertThat(rowsRead(query)).isBetween(1L, 2L);
  }

  @Test
  void whatASubmissionCameAsIsReadFromItsOwnRows() throws SQLException {
    assertThat(stores.ledger().knownSubmissions(List.of("submit-3"))).hasSize(1);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_history_submission");
    assertThat(rowsRead(query)).isBetween(2_000L, 2_100L);
  }

  @Test
  void endsOfSubmissionsAreReadFromTheirOwnRows() throws SQLException {
    assertThat(stores.ledger().findEnds(List.of("submit-3", "submit-none"))).isEmpty();

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("ix_history_submission");
    assertThat(rowsRead(query)).isBetween(1L, 2_004L);
  }

  @Test
  void pagesOfOneShotsReadNoMoreThanTheyMayLookAt() throws SQLException {
    OneShotStore.Range waiting = new OneShotStore.Range("orders", null, "task-5", 10, 150);
    assertThat(stores.oneShots().readWaiting(waiting).next()).isNotNull();
    OneShotStore.Range executing = new OneShotStore.Range("group-3", "task-1", "", 10, 150);
    assertThat(stores.oneShots().readExecuting(executing).next()).isNotNull();

    for (Recorded query : recorder.take()) {
      assertThat(rowsRead(query)).as(query.toString()).isBetween(1L, 460L);
    }
  }

  @Test
  void endsOfTheLedgerAreOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.ledger().readEnds(Long.MIN_VALUE, 20_000, 100)).hasSize(100);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("primary").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(100L, 102L);
  }

  @Test
  void countingTheLedgerReadsNoMoreRowsThanItCounts() throws SQLException {
    assertThat(stores.ledger().idBelow(Long.MAX_VALUE, 5_000)).hasValue(15_001);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("primary").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(5_000L, 5_002L);
  }

  @Test
  void rowsOfTheLedgerAreDeletedByTheirKey() throws SQLException {
    Recorded delete = deletion(() -> stores.ledger().delete(range(1, 512)));

    assertThat(plan(delete)).contains("primary");
    assertThat(rowsRead(delete))
        .as("on servers the list itself, and on MySQL the rows once more")
        .isBetween(512L, 1_600L);
  }

  @Test
  void resultsAreReadAndDeletedByTheirKey() throws SQLException {
    recorder.take();
    assertThat(stores.results().sizes(range(1, 100))).hasSize(100);
    Recorded sizes = lastQuery();
    assertThat(plan(sizes)).contains("primary");
    assertThat(rowsRead(sizes)).isLessThan(260);

    assertThat(stores.results().findEndedBefore(10_000, 20_001, 50)).hasSize(50);
    Recorded old = lastQuery();
    assertThat(plan(old)).contains("primary").satisfies(this::doesNotSort);
    assertThat(rowsRead(old)).isLessThan(60);

    Recorded delete = deletion(() -> stores.results().delete(range(1, 512)));
    assertThat(plan(delete)).contains("primary");
    assertThat(rowsRead(delete)).isLessThan(1_600);
  }

  @Test
  void deadTriggersOfAStateAreOneRangeReadOfTheirIndexWithoutASort() throws SQLException {
    assertThat(dead(null, DeadState.OPEN, null)).hasSize(50);
    assertThat(costOfDead("ix_dead_state")).as("and the rows of the page").isBetween(100L, 170L);

    assertThat(dead("group-3", DeadState.DISCARDED, new DeadStore.Place(15_003, 15_003)))
        .hasSize(50);
    assertThat(costOfDead("ix_dead_group")).as("and the rows of the page").isBetween(100L, 170L);
  }

  @Test
  void deadTriggersOfAllStatesCostAPageOfEach() throws SQLException {
    assertThat(dead(null, null, null)).hasSize(50);
    assertThat(costOfDead("ix_dead_state")).isBetween(150L, 270L);
  }

  @Test
  void deadTriggersOfATaskIdCostNoMoreThanTheLookAllowed() throws SQLException {
    DeadStore.Query query =
        new DeadStore.Query(null, "task-77", DeadState.REPLAYED, 0, Long.MAX_VALUE);
    DeadStore.Found found = stores.dead().search(query, AgeOrder.NEWEST_FIRST, null, 50, 1_000);

    assertThat(found.dead()).isNotEmpty().hasSizeLessThan(50);
    assertThat(found.last()).isEqualTo(new DeadStore.Place(18_002, 18_002));
    assertThat(costOfDead("ix_dead_state"))
        .as("looked at, copied, and counted off")
        .isLessThan(3_300);
  }

  @Test
  void countOfDeadTriggersReadsNoMoreThanItsBound() throws SQLException {
    DeadStore.Query query =
        new DeadStore.Query("group-4", null, DeadState.REPLAYED, 0, Long.MAX_VALUE);

    assertThat(stores.dead().count(query, null, 1_000)).isEqualTo(1_000);

    assertThat(costOfDead("ix_dead_group")).as("and their copies").isLessThan(2_100);
  }

  private static List<DeadTrigger> dead(
      @Nullable String group, @Nullable DeadState state, DeadStore.@Nullable Place behind) {
    DeadStore.Query query = new DeadStore.Query(group, null, state, 0, Long.MAX_VALUE);
    recorder.take();
    return stores.dead().search(query, AgeOrder.NEWEST_FIRST, behind, 50, 1_000).dead();
  }

  /** What was looked at may be sorted once more: it is bounded. */
  private long costOfDead(String index) throws SQLException {
    long read = 0;
    for (Recorded query : recorder.take()) {
      if (query.sql().contains("died_at <= ")) {
        assertThat(plan(query)).contains(index);
        if (!query.sql().contains("AS looked")) {
          assertThat(plan(query)).satisfies(this::doesNotSort);
        }
      }
      read += rowsRead(query);
    }
    return read;
  }

  @Test
  void lastLinesOfALogAreOneRangeReadOfTheirKeyWithoutASort() throws SQLException {
    assertThat(stores.jobLog().searchBefore(LOGGING, 9_000, Filter.NONE, 500, 5_000).lines())
        .hasSize(500);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("primary").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(500L, 502L);
  }

  @Test
  void searchOfALogReadsNoMoreThanItMayLookAt() throws SQLException {
    Filter rare = new Filter(LogLevel.INFO, "no such text");

    assertThat(stores.jobLog().searchBefore(LOGGING, 9_000, rare, 50, 1_000).next())
        .isEqualTo(8_000);
    assertThat(stores.jobLog().searchAfter(LOGGING, 1_000, rare, 50, 1_000).next())
        .isEqualTo(2_000);

    List<Recorded> queries = recorder.take();
    assertThat(queries).hasSize(4);
    for (Recorded query : queries) {
      assertThat(plan(query)).contains("primary").satisfies(this::doesNotSort);
      assertThat(rowsRead(query)).isBetween(999L, 1_002L);
    }
  }

  @Test
  void linesOfJobLogsAreDeletedInARangeOfTheirKey() throws SQLException {
    Recorded delete = deletion(() -> stores.jobLog().deleteBelow(20_000, 100));

    assertThat(plan(delete)).contains("primary");
    assertThat(rowsRead(delete)).isBetween(100L, 102L);
  }

  @Test
  void oldEntriesOfTheAuditAreDeletedInARangeOfTheirKey() throws SQLException {
    Recorded delete = deletion(() -> stores.console().audit().deleteBelow(20_000, 100));

    assertThat(plan(delete)).contains("primary");
    assertThat(rowsRead(delete)).isBetween(100L, 102L);
  }

  @Test
  void auditOfAJobIsReadInOrderOfItsIndex() throws SQLException {
    AuditStore audit = stores.console().audit();
    AuditStore.Query ofJob = new AuditStore.Query("ann", "pauseJob", "orders/task-7");
    AuditStore.Query rare = new AuditStore.Query("bob", null, "orders/task-7");
    Map<AgeOrder, Long> lastLookedAt =
        Map.of(AgeOrder.NEWEST_FIRST, 15_007L, AgeOrder.OLDEST_FIRST, 4_907L);
    for (AgeOrder order : AgeOrder.values()) {
      long start = order == AgeOrder.NEWEST_FIRST ? Long.MAX_VALUE : 0;
      assertThat(audit.search(ofJob, order, start, 20, 50).entries()).hasSize(20);

      Recorded query = lastQuery();
      assertThat(plan(query)).contains("ix_audit_job");
      assertThat(rowsRead(query)).as("the rows, and their copies").isBetween(50L, 155L);

      assertThat(audit.search(rare, order, start, 20, 50).next())
          .isEqualTo(lastLookedAt.get(order));
      Recorded howFar = lastQuery();
      assertThat(plan(howFar)).contains("ix_audit_job").satisfies(this::doesNotSort);
      assertThat(rowsRead(howFar)).isBetween(50L, 52L);
    }
  }

  @Test
  void oldFeedbackIsOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.feedback().readBelow(20_000, 100)).hasSize(100);

    Recorded query = lastQuery();
    assertThat(plan(query)).contains("primary").satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(100L, 102L);
  }

  /** The statement that deletes what it is asked to, which is put back. */
  private Recorded deletion(Runnable deleting) {
    RuntimeException rollBack = new RuntimeException("roll back");
    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "delete",
                        () -> {
                          deleting.run();
                          throw rollBack;
                        }))
        .isSameAs(rollBack);
    return lastQuery();
  }

  private static List<Long> range(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void submissionOfAFormerVersionIsFoundAmongThoseOfItsJob() throws SQLException {
    assertThat(stores.jobs().remembersSubmission(7, "submit-207")).isTrue();

    assertThat(rowsRead(lastQuery())).isBetween(1L, 2L);
  }

  @Test
  void submissionsOfVersionsLongReplacedAreDeletedWithoutLookingAtOthers() throws SQLException {
    Recorded query =
        deletion(() -> assertThat(stores.jobs().forgetSubmissions(50, 10, 1)).isEqualTo(10));

    assertThat(rowsRead(query)).isBetween(10L, 12L);
  }

  @Test
  void versionsThatAreOldAreDeletedWithoutLookingAtOthers() throws SQLException {
    Recorded query =
        deletion(() -> assertThat(stores.versions().deleteBefore(50, 10)).isEqualTo(10));

    assertThat(rowsRead(query)).isBetween(10L, 12L);
  }

  @Test
  void latestVersionOfAJobIsReadFromItsOwnRows() throws SQLException {
    assertThat(stores.versions().latestSubmissions(List.of(7L)))
        .isEqualTo(Map.of(7L, "submit-19807"));

    assertThat(rowsRead(lastQuery())).isBetween(1L, 105L);
  }

  @Test
  void highestIdReadsNoMoreThanAFewRowsOfATable() throws SQLException {
    assertThat(stores.trackers().highestId()).isEqualTo(WAITING);

    for (Recorded query : recorder.take()) {
      assertThat(rowsRead(query)).as(query.sql()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void whatARunKeepsIsFoundByItsKey() throws SQLException {
    KeptStore.Run run = new KeptStore.Run(5_000, 0, 0);

    assertThat(stores.kept().read(run)).hasSize(2);
    assertThat(rowsRead(lastQuery())).isBetween(2L, 3L);
    assertThat(stores.kept().list(run)).hasSize(2);
    assertThat(rowsRead(lastQuery())).as("the rows, and as sorted").isBetween(2L, 5L);
    Recorded deletion = deletion(() -> assertThat(stores.kept().delete(List.of(run))).isEqualTo(2));
    assertThat(rowsRead(deletion)).isBetween(2L, 3L);
  }

  @Test
  void runsThatKeepSomethingAreOneBoundedRangeReadWithoutASort() throws SQLException {
    assertThat(stores.kept().runs(new KeptStore.Run(5_000, 0, 0), 50)).hasSize(50);

    Recorded query = lastQuery();
    assertThat(plan(query)).satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).as("and all rows of one run").isBetween(100L, 1_060L);
  }

  @Test
  void declaredJobsAreFoundByTheirKeysAndByTheirOwner() throws SQLException {
    List<String> taskIds = IntStream.range(0, 100).mapToObj(i -> "none-" + i).toList();
    assertThat(stores.declared().lock("group-3", taskIds)).isEmpty();
    assertThat(rowsRead(lastQuery())).isLessThan(310);

    assertThatThrownBy(() -> stores.declared().findMissing("owner-7", "d-2", 50))
        .as("the rows hold no real definition: the query is asked for, not its result")
        .isInstanceOf(CodecException.class);
    Recorded missing = lastQuery();
    assertThat(plan(missing)).contains("ix_declared_owner").satisfies(this::doesNotSort);
    assertThat(rowsRead(missing)).as("the rows of the owner").isBetween(20L, 202L);
    assertThat(stores.declared().findRetired("owner-9", "d-1", 0)).isEmpty();
    Recorded retired = lastQuery();
    assertThat(plan(retired)).contains("ix_declared_owner").satisfies(this::doesNotSort);
    assertThat(rowsRead(retired)).as("the rows of the owner").isBetween(200L, 202L);
  }

  @Test
  void oldDeclarationsAndRelaysAreDeletedWithoutLookingAtOthers() throws SQLException {
    Recorded declarations =
        deletion(() -> assertThat(stores.declared().forget(50, 10)).isEqualTo(10));
    assertThat(rowsRead(declarations)).isBetween(10L, 22L);
    Recorded relays = deletion(() -> assertThat(stores.relays().forget(50, 10)).isEqualTo(10));
    assertThat(rowsRead(relays)).isBetween(10L, 22L);
  }

  @Test
  void lengthsOfResultsAreFoundByTheirKeys() throws SQLException {
    assertThat(stores.results().sizes(range(1_001, 1_050))).hasSize(50);

    assertThat(rowsRead(lastQuery())).isBetween(50L, 101L);
  }

  @Test
  void pageOfJobsIsOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.jobs().list("group-3", "task-5", 50)).hasSize(50);

    Recorded query = lastQuery();
    assertThat(plan(query)).satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(50L, 52L);
  }

  @Test
  void pageOfTriggersIsOneRangeReadWithoutASort() throws SQLException {
    assertThat(stores.waiting().list("orders", 50_000, 50)).hasSize(50);

    Recorded query = lastQuery();
    assertThat(plan(query)).satisfies(this::doesNotSort);
    assertThat(rowsRead(query)).isBetween(50L, 52L);
  }

  @Test
  void tallyReadsTheRowsOfItsTasksOnly() throws SQLException {
    assertThat(stores.waiting().tally("orders", List.of("task-7", "task-8", "none"), 0, 50_000))
        .hasSize(2);

    assertThat(rowsRead(lastQuery())).isLessThan(220);
  }

  @Test
  void endedTriggersOfAJobAreOneRangeRead() throws SQLException {
    assertThat(stores.ledger().endedTriggers(7, 4_000, 4_050)).hasSize(5);

    assertThat(rowsRead(lastQuery())).isLessThan(10);
  }

  @Test
  void nodeGroupsThatTablesMentionAreSkippedThrough() throws SQLException {
    assertThat(stores.nodeGroups().nodeGroupOf("jt_waiting__2" + "0".repeat(26))).isEmpty();

    long read = 0;
    for (Recorded query : recorder.take()) {
      read += query.sql().contains("jt_history") ? 0 : rowsRead(query);
    }
    assertThat(read).as("ten groups in each of two tables").isBetween(20L, 60L);
  }

  @Test
  void nodeGroupsOfJobsAreSkippedThrough() throws SQLException {
    assertThat(stores.nodeGroups().mentionedByJobs()).hasSize(10);

    long read = 0;
    for (Recorded query : recorder.take()) {
      read += rowsRead(query);
    }
    assertThat(read).as("ten groups").isBetween(10L, 30L);
  }

  @Test
  void whetherAnythingUsesANodeGroupIsLookedUpInIndexes() throws SQLException {
    assertThat(stores.nodeGroups().isUsed("orders", 0)).isTrue();
    assertThat(rowsRead(lastQuery())).as("many wait").isLessThan(10);

    stores.nodeGroups().ensure("group-a", 10);
    assertThat(stores.nodeGroups().isUsed("group-a", 0)).isFalse();
    assertThat(rowsRead(lastQuery())).as("nothing is there").isLessThan(10);
    database.execute("DELETE FROM jt_node_group WHERE name = 'group-a'"); // the others expect one
  }

  @Test
  void searchOfJobsReadsNoMoreThanItMayLookAt() throws SQLException {
    assertThatThrownBy(
            () ->
                stores
                    .jobs()
                    .search(
                        new JobStore.Search("group-3", null, null, null, null),
                        new JobStore.Place("group-3", "task-5"),
                        50,
                        1_000))
        .as("the rows hold no real schedule: the query is asked for, not its result")
        .isInstanceOf(CodecException.class);
    Recorded page = lastQuery();
    assertThat(plan(page)).satisfies(this::doesNotSort);
    assertThat(rowsRead(page))
        .as("the rows, who declares each, and MariaDB's cache of that")
        .isBetween(50L, 155L);

    JobStore.Search paused =
        new JobStore.Search("group-3", null, "none", JobState.PAUSED, "mailer");
    assertThat(stores.jobs().search(paused, JobStore.Place.START, 50, 300).next()).isNotNull();
    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).doesNotContain("filesort");
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, their copies, and the rows again").isBetween(600L, 1_000L);
  }

  @Test
  void searchOfJobsByTheirOwnerLooksEachUpInAnIndex() throws SQLException {
    JobStore.Search search =
        new JobStore.Search("group-3", null, null, null, null, "owner-of-none");

    assertThat(stores.jobs().search(search, JobStore.Place.START, 50, 300).next()).isNotNull();
    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).doesNotContain("filesort");
      read += rowsRead(query);
    }
    assertThat(read)
        .as("the rows, their copies, the rows again, who declares each")
        .isBetween(600L, 1_700L);
  }

  @Test
  void searchOfJobsByAPrefixReadsTheRowsThatBeginSo() throws SQLException {
    JobStore.Search search =
        new JobStore.Search("group-3", "task-1234", null, JobState.PAUSED, null);

    assertThat(stores.jobs().search(search, JobStore.Place.START, 50, 300).next()).isNull();

    for (Recorded query : recorder.take()) {
      assertThat(rowsRead(query)).as(query.sql()).isLessThan(30);
    }
  }

  @Test
  void searchOverAllGroupsStepsFromOneToTheNext() throws SQLException {
    JobStore.Search search = new JobStore.Search(null, "none", null, null, null);

    assertThat(stores.jobs().search(search, JobStore.Place.START, 50, 300).next()).isNull();

    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).satisfies(this::doesNotSort);
      read += rowsRead(query);
    }
    assertThat(read).as("two steps for each of ten groups").isBetween(10L, 50L);
  }

  @Test
  void searchOfExecutionsReadsNoMoreThanItMayLookAt() throws SQLException {
    ExecutingStore.Search search = new ExecutingStore.Search("group-3", "nobody");

    assertThat(stores.executing().search(search, 5_000, 50, 500).next()).isEqualTo(5_500L);

    long read = 0;
    for (Recorded query : recorder.take()) {
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, their copies, and the rows again").isBetween(1_000L, 2_100L);
  }

  @Test
  void pagesOfOneTaskAreRangeReadsWithoutASort() throws SQLException {
    stores.runs().readByTask("group-3", new TriggerKey("none", 0, -1), 50);
    assertThat(rowsRead(lastQuery())).isLessThanOrEqualTo(4);

    assertThat(stores.waiting().readByTask("orders", new TriggerKey("task-7", 50_007, 0), 20))
        .hasSize(20);
    Recorded waiting = lastQuery();
    assertThat(plan(waiting)).satisfies(this::doesNotSort);
    assertThat(rowsRead(waiting)).isBetween(20L, 23L);
  }

  private long readOfAll() throws SQLException {
    long read = 0;
    for (Recorded query : recorder.take()) {
      read += rowsRead(query);
    }
    return read;
  }

  @Test
  void countsOfListsReadNoMoreThanTheirBound() throws SQLException {
    ListCounts counts = stores.counts();
    Bound bound = Bound.of(500);
    LedgerStore.Search dead =
        new LedgerStore.Search("orders", LedgerStatus.DEAD, null, 1_000, 15_000);
    List<Supplier<Count>> all =
        List.of(
            () -> counts.jobs(new JobStore.Search(null, null, null, null, null, null), bound),
            () ->
                counts.jobs(
                    new JobStore.Search("group-3", null, "9", JobState.ACTIVE, "a", "b"), bound),
            () -> counts.waiting("orders", bound),
            () -> counts.oneShots("orders", "task-5", "mail", bound),
            () -> counts.running(new Running(null, null, null), bound),
            () -> counts.running(new Running("group-3", null, null), bound),
            () -> counts.running(new Running(null, null, "no-such-worker"), bound),
            () -> counts.ledger(dead, bound),
            () -> counts.ledgerOf(3, dead, bound),
            () ->
                counts.dead(
                    new DeadStore.Query(null, "task-7", DeadState.REPLAYED, 0, 50_000), bound));

    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).get().isCut()).as("count %d is cut", i).isTrue();
      assertThat(readOfAll())
          .as("the rows of count %d, and their copies", i)
          .isBetween(500L, 2_100L);
    }
  }

  /** A count of many rows costs a pass over an index, and no step costs more than its rows. */
  @Test
  void longCountsReadEachRowInOneStep() throws SQLException {
    ListCounts counts = stores.counts();
    Bound bound = new Bound(10_000_000, 2_000, () -> true);
    LedgerStore.Search ended = new LedgerStore.Search("orders", null, null, 0, Long.MAX_VALUE);
    Map<Supplier<Count>, Integer> all =
        Map.of(
            () -> counts.jobs(new JobStore.Search(null, null, null, null, null, null), bound),
            20_000,
            () -> counts.jobs(new JobStore.Search("group-3", null, null, null, null, null), bound),
            2_000,
            () -> counts.waiting("orders", bound),
            WAITING,
            () -> counts.ledger(ended, bound),
            20_000,
            () -> counts.ledgerOf(3, ended, new Bound(10_000_000, 200, () -> true)),
            2_000,
            () ->
                counts.dead(
                    new DeadStore.Query(null, "task-", DeadState.REPLAYED, 0, 50_000), bound),
            9_950);

    for (Map.Entry<Supplier<Count>, Integer> each : all.entrySet()) {
      int rows = each.getValue();
      assertThat(each.getKey().get()).isEqualTo(new Count(rows, rows, false));
      long read = 0;
      for (Recorded query : recorder.take()) {
        assertThat(plan(query)).doesNotContain("filesort");
        long ofStep = rowsRead(query);
        assertThat(ofStep).as(query.sql()).isLessThanOrEqualTo(2 * 2_000 + 10);
        read += ofStep;
      }
      assertThat(read).as("%d rows, and their copies", rows).isBetween((long) rows, 5L * rows);
    }
  }

  @Test
  void oldestRowsOfHistoryAreOneRangeRead() throws SQLException {
    LedgerStore.Search all = new LedgerStore.Search(null, null, null, 0, Long.MAX_VALUE);

    assertThat(stores.ledger().search(all, AgeOrder.OLDEST_FIRST, 50, 500).next()).isEqualTo(50L);
    assertThat(readOfAll()).isLessThan(310L);

    LedgerStore.Place start = LedgerStore.Place.start(AgeOrder.OLDEST_FIRST);
    assertThat(stores.ledger().searchJob(3, all, AgeOrder.OLDEST_FIRST, start, 50, 100).rows())
        .hasSize(50);
    assertThat(readOfAll()).isLessThan(410L);
  }

  @Test
  void searchOfHistoryReadsNoMoreThanItMayLookAt() throws SQLException {
    LedgerStore.Search dead =
        new LedgerStore.Search("orders", LedgerStatus.DEAD, null, 1_000, 15_000);

    assertThat(stores.ledger().search(dead, 50, 500).next()).isEqualTo(14_500L);
    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).contains("primary");
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, their copies, and the rows again").isBetween(1_000L, 2_100L);

    assertThat(stores.ledger().searchJob(3, dead, LedgerStore.Place.START, 50, 500).next())
        .isNotNull();
    read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).contains("ix_history_job");
      read += rowsRead(query);
    }
    assertThat(read).as("the rows, their copies, and the rows again").isBetween(1_000L, 2_100L);
  }

  private Recorded lastQuery() {
    List<Recorded> queries = recorder.take();
    return queries.get(queries.size() - 1);
  }

  private void doesNotSort(String plan) {
    cost.assertDoesNotSort(plan);
  }

  private String plan(Recorded query) throws SQLException {
    return cost.plan(query);
  }

  private long rowsRead(Recorded query) throws SQLException {
    return cost.rowsRead(query);
  }

  /** Two ranges of a page each may be sorted once more: they are bounded. */
  @Test
  void listsAreReadFromTheirEndsAsTheyAreFromTheirBeginnings() throws SQLException {
    JobStore.Search paused = new JobStore.Search("group-3", null, "9", JobState.PAUSED, null);
    TriggerKey end = new TriggerKey("task-7", Long.MAX_VALUE, Integer.MAX_VALUE);
    Direction down = Direction.DESCENDING;
    AgeOrder newest = AgeOrder.NEWEST_FIRST;
    JobStore.Place place = new JobStore.Place("group-3", "task-5");
    List<Supplier<Integer>> reads =
        List.of(
            () -> stores.jobs().search(paused, down, place, 50, 50).jobs().size(),
            () -> stores.waiting().readByTask("orders", down, end, 50).size(),
            () -> stores.runs().readByTask("group-3", down, end, 50).size(),
            () ->
                stores
                    .waiting()
                    .readByDue("orders", 7, down, new DuePlace(50_007, 50_007), 50)
                    .size(),
            () ->
                stores
                    .waiting()
                    .readByDue("orders", 7, Direction.ASCENDING, new DuePlace(7, 7), 50)
                    .size(),
            () ->
                stores
                    .oneShots()
                    .readWaiting(new OneShotStore.Range("orders", null, down, "task-5", 50, 50))
                    .rows()
                    .size(),
            () -> stores.batchViews().list("group-3", newest, 1_000, 25).size(),
            () -> stores.batchViews().list(null, newest, 1_000, 50).size());

    for (int i = 0; i < reads.size(); i++) {
      int found = reads.get(i).get();
      assertThat(found).isBetween(0, 50);
      long read = 0;
      for (Recorded query : recorder.take()) {
        if (!query.sql().contains("UNION ALL")) {
          assertThat(plan(query)).doesNotContain("filesort");
        }
        read += rowsRead(query);
      }
      assertThat(read).as("rows of list %d, and their copies", i).isBetween(1L, 320L);
    }
  }

  @Test
  void searchOverAllGroupsStepsFromOneToTheOneBefore() throws SQLException {
    JobStore.Search search = new JobStore.Search(null, "none", null, null, null);

    assertThat(stores.jobs().search(search, Direction.DESCENDING, null, 50, 300).next()).isNull();

    long read = 0;
    for (Recorded query : recorder.take()) {
      assertThat(plan(query)).satisfies(this::doesNotSort);
      read += rowsRead(query);
    }
    assertThat(read).as("two steps for each of ten groups").isBetween(10L, 50L);
  }

  @Test
  void newestExecutionsAreReadFromTheEndOfTheirKey() throws SQLException {
    ExecutingStore.Search search = new ExecutingStore.Search("group-3", "nobody");

    assertThat(stores.executing().search(search, AgeOrder.NEWEST_FIRST, 5_000, 50, 500).next())
        .isEqualTo(4_500L);

    assertThat(readOfAll())
        .as("the rows, their copies, and the rows again")
        .isBetween(1_000L, 2_100L);
  }
}
