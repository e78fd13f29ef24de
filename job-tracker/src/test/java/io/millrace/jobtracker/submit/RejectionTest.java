package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.MAX_NODE_GROUPS;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One test at least for every reason that a submit can be rejected for, and its message. */
class RejectionTest extends ServiceTest {

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t"})
  void emptyTaskId(String taskId) {
    assertRejected(job(taskId).build(), RejectReason.EMPTY_TASK_ID, "the task id is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#1", "#0", "#126443839283601408", "#99999999999999999999"})
  void taskIdOfParts(String taskId) {
    assertRejected(
        job(taskId).build(),
        RejectReason.BAD_TASK_ID,
        "the task id must not be # and a number: those belong to the parts of runs that were split");
  }

  @ParameterizedTest
  @ValueSource(strings = {"#", "#1a", "# 1", "1#", "##1", "#-1", "#\u0661"})
  void taskIdThatOnlyLooksLikeThoseOfParts(String taskId) {
    assertThat(tracker.submit(job(taskId).build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
  }

  @Test
  void missingTaskId() {
    assertRejected(
        new Job(
            GROUP,
            null,
            new Schedule.Once(null, null),
            Map.of(),
            Job.DEFAULT_PRIORITY,
            null,
            RetryPolicy.DEFAULT,
            null,
            null,
            null,
            false,
            false,
            false,
            null),
        RejectReason.EMPTY_TASK_ID,
        "the task id is empty");
  }

  @Test
  void tooLongTaskId() {
    assertRejected(
        job("x".repeat(129)).build(),
        RejectReason.TASK_ID_TOO_LONG,
        "the task id has 129 characters; at most 128 are allowed");
  }

  @Test
  void longestTaskIdIsTakenEvenOfCharactersOutsideTheBasicPlane() {
    String longest = "\uD83D\uDE00".repeat(128);

    assertThat(tracker.submit(job(longest).build()).isStored()).isTrue();
    assertThat(tracker.worker("worker-1").takeOne().taskId()).isEqualTo(longest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " close",
        "close ",
        "close\t",
        "close\u3000",
        "\u00A0close",
        "close\u00A0",
        "\u00A0",
        "\u2007close",
        "close\u202F"
      })
  void taskIdThatBeginsOrEndsWithABlank(String taskId) {
    assertRejected(
        job(taskId).build(),
        RejectReason.BAD_TASK_ID,
        "the task id must not begin or end with a blank, because databases compare blanks in"
            + " different ways");
  }

  @Test
  void taskIdWithBlanksInsideIsTaken() {
    assertThat(tracker.submit(job("a b\u00A0c").build()).isStored()).isTrue();
  }

  @Test
  void taskIdWithAControlCharacter() {
    assertRejected(
        job("a\u0000b").build(),
        RejectReason.BAD_TASK_ID,
        "the task id has a character that is not allowed: U+0000 at position 1; use visible"
            + " characters only");
    assertRejected(
        job("ab\uD83D").build(),
        RejectReason.BAD_TASK_ID,
        "the task id has a character that is not allowed: U+D83D at position 2; use visible"
            + " characters only");
  }

  /** One rule for every text that stands beside others: what is not seen forges what is. */
  @ParameterizedTest
  @ValueSource(
      strings = {"a\u0000b", "a\nb", "a\u001B[31mb", "a\uD83D", "a\u202Eb", "a\u200Bb", "a\u2028b"})
  void textWithACharacterThatIsNotSeen(String text) {
    String where = "at position 1";

    assertThat(tracker.submit(job(text).build()).reason()).isEqualTo(RejectReason.BAD_TASK_ID);
    assertRejectedAt(job("close").handler(text).build(), RejectReason.BAD_HANDLER, where);
    assertRejectedAt(job("close").param(text, "x").build(), RejectReason.BAD_PARAMS, where);
    RetryPolicy retry =
        new RetryPolicy(1, Duration.ofSeconds(1), Duration.ofSeconds(2), 2, 0, List.of(text));
    assertRejectedAt(job("close").retry(retry).build(), RejectReason.BAD_RETRY_POLICY, where);
    assertThat(tracker.submit(text, job("close").build()).reason())
        .isEqualTo(RejectReason.BAD_SUBMISSION_ID);
  }

  private void assertRejectedAt(Job job, RejectReason reason, String where) {
    SubmitResult result = tracker.submit(job);

    assertThat(result.reason()).isEqualTo(reason);
    assertThat(result.message()).contains(where);
  }

  @Test
  void valueOfAParameterIsAnyTextThatCanBeEncoded() {
    assertThat(tracker.submit(job("any").param("text", "a\u0000\n\u202E\t").build()).isStored())
        .isTrue();
    assertRejected(
        job("half").param("text", "a\uDE00").build(),
        RejectReason.BAD_PARAMS,
        "parameter 'text' has half of a surrogate pair: U+DE00 at position 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-orders", "or ders", "orders;DROP TABLE jt_job", "größe"})
  void badNodeGroup(String group) {
    SubmitResult result = tracker.submit(Job.builder(group, "close").build());

    assertThat(result.reason()).isEqualTo(RejectReason.BAD_NODE_GROUP);
    assertThat(result.message()).startsWith("node group '" + group + "' must have 1 to 64 letters");
  }

  @Test
  void nodeGroupOfTheLongestNameIsTaken() {
    assertThat(tracker.submit(Job.builder("g".repeat(64), "close").build()).isStored()).isTrue();
    assertThat(tracker.submit(Job.builder("g".repeat(65), "close").build()).reason())
        .isEqualTo(RejectReason.BAD_NODE_GROUP);
  }

  @Test
  void oneNodeGroupTooMany() {
    for (int i = 1; i < MAX_NODE_GROUPS; i++) {
      assertThat(tracker.submit(Job.builder("group-" + i, "close").build()).isStored()).isTrue();
    }

    SubmitResult result = tracker.submit(Job.builder("one-more", "close").build());

    assertThat(result.reason()).isEqualTo(RejectReason.TOO_MANY_NODE_GROUPS);
    assertThat(result.message())
        .isEqualTo("node group one-more would exceed the limit of 5 node groups");
    assertThat(tracker.submit(job("still-works").build()).isStored()).isTrue();
  }

  @Test
  void oneNodeGroupTooManyOfAClientGroup() {
    // The group of the fixture was made for none of them.
    for (int i = 1; i < MAX_NODE_GROUPS - 1; i++) {
      assertThat(tracker.submitAs(client("a"), Job.builder("group-" + i, "close").build()).status())
          .isEqualTo(SubmitStatus.ACCEPTED);
    }
    byHand("DELETE FROM jt_node_group WHERE name = 'orders'");
    assertThat(tracker.submitAs(client("a"), Job.builder("last", "close").build()).isStored())
        .isTrue();

    SubmitResult result = tracker.submitAs(client("a"), Job.builder("one-more", "close").build());

    assertThat(result.reason()).isEqualTo(RejectReason.TOO_MANY_NODE_GROUPS);
    assertThat(result.message())
        .isEqualTo(
            "node group one-more would exceed the limit of 4 node groups created by client"
                + " group a: use an existing node group, or ask an operator to remove some or to"
                + " raise tracker.max-node-groups-of-client-group");
    assertThat(tracker.submitAs(client("a"), Job.builder("last", "other").build()).isStored())
        .as("a group that is there")
        .isTrue();
    assertThat(tracker.submitAs(client(""), Job.builder("one-more", "close").build()).isStored())
        .as("another's group")
        .isTrue();
    assertThat(tracker.submitAs(client("a"), Job.builder("one-more", "other").build()).isStored())
        .as("another's group, once it is there")
        .isTrue();
    stores.nodeGroups().ensure("orders", 100);
  }

  private static Peer client(String clientGroup) {
    return new Peer(NodeRole.CLIENT, "client-" + clientGroup, clientGroup, "local:1");
  }

  @Test
  void badCronSaysWhere() {
    SubmitResult result = tracker.submit(job("report").cron("0 0/5 25 * * ?").build());

    assertThat(result.reason()).isEqualTo(RejectReason.BAD_CRON);
    assertThat(result.message()).contains("25");
  }

  @Test
  void cronThatNeverFiresAgain() {
    assertThat(tracker.submit(job("report").cron("0 0 0 30 2 ?").build()).reason())
        .isEqualTo(RejectReason.NEVER_FIRES);
    assertThat(tracker.submit(job("report").cron("0 0 0 1 1 ? 2020").build()).reason())
        .isEqualTo(RejectReason.NEVER_FIRES);
  }

  @Test
  void repetitionWhoseLastTimeIsPast() {
    Job past = job("poll").every(Duration.ofMinutes(1)).at(inMillis(-600_000)).times(3).build();

    assertThat(tracker.submit(past).reason()).isEqualTo(RejectReason.NEVER_FIRES);
  }

  /** It was in time when it came in, and so are its fire times accounted for. */
  @Test
  void repetitionWhoseLastTimePassesWhileItWaitsForTheDatabaseIsCaughtUp() {
    Job job = job("poll").every(Duration.ofMinutes(1)).at(inMillis(0)).times(3).build();

    assertThat(overASlowDatabase().submit(job).isStored()).isTrue();

    assertThat(stores.waiting().findByTask(GROUP, "poll")).hasSize(1);
    assertThat(ledger("poll")).singleElement().matches(row -> row.instants() == 2);
  }

  /** Its triggers are written one at a time, and none is left to write: what is accepted runs. */
  @Test
  void chainWhoseLastTimePassesWhileItWaitsForTheDatabase() {
    Job job =
        job("poll")
            .every(Duration.ofMinutes(1))
            .at(inMillis(0))
            .times(3)
            .relyOnPrevCycle(true)
            .build();

    assertThat(overASlowDatabase().submit(job).reason()).isEqualTo(RejectReason.NEVER_FIRES);

    assertThat(stores.jobs().find(GROUP, "poll")).isEmpty();
    assertThat(stores.waiting().findByTask(GROUP, "poll")).isEmpty();
  }

  private HandDrivenTracker overASlowDatabase() {
    Transactions slow =
        new ForwardingTransactions(stores.transactions()) {
          @Override
          public <T> T inTransaction(String name, Supplier<T> work) {
            time.pass(Duration.ofMinutes(10));
            return super.inTransaction(name, work);
          }
        };
    return new HandDrivenTracker(3, FaultyTransactions.around(stores, slow), time);
  }

  @Test
  void badIntervals() {
    assertReason(job("poll").every(Duration.ZERO).build(), RejectReason.BAD_INTERVAL);
    assertReason(job("poll").every(Duration.ofSeconds(-1)).build(), RejectReason.BAD_INTERVAL);
    assertReason(job("poll").every(Duration.ofNanos(999_999)).build(), RejectReason.BAD_INTERVAL);
    assertReason(
        job("poll").every(Duration.ofSeconds(Long.MAX_VALUE)).build(), RejectReason.BAD_INTERVAL);
    assertReason(job("poll").fixedDelay(Duration.ZERO).build(), RejectReason.BAD_INTERVAL);
    assertReason(job("close").after(Duration.ofMillis(-1)).build(), RejectReason.BAD_INTERVAL);
    assertReason(
        job("close").after(Duration.ofSeconds(Long.MAX_VALUE)).build(), RejectReason.BAD_INTERVAL);
  }

  @Test
  void badTimes() {
    assertReason(job("poll").every(Duration.ofSeconds(1)).times(0).build(), RejectReason.BAD_TIMES);
    assertReason(
        job("poll").fixedDelay(Duration.ofSeconds(1)).times(-1).build(), RejectReason.BAD_TIMES);
  }

  @Test
  void badInstants() {
    assertReason(job("close").at(Instant.MAX).build(), RejectReason.BAD_INSTANT);
    assertReason(job("close").at(Instant.MIN).build(), RejectReason.BAD_INSTANT);
    assertReason(
        job("poll").every(Duration.ofSeconds(1)).at(Instant.MAX).build(), RejectReason.BAD_INSTANT);
  }

  @Test
  void badPriorities() {
    assertRejected(
        job("close").priority(-1).build(),
        RejectReason.BAD_PRIORITY,
        "priority -1 must be between 0 and 255");
    assertReason(job("close").priority(256).build(), RejectReason.BAD_PRIORITY);
    assertThat(tracker.submit(job("first").priority(0).build()).isStored()).isTrue();
    assertThat(tracker.submit(job("last").priority(255).build()).isStored()).isTrue();
  }

  @Test
  void badHandlers() {
    assertReason(job("close").handler(" ").build(), RejectReason.BAD_HANDLER);
    assertReason(job("close").handler("h".repeat(129)).build(), RejectReason.BAD_HANDLER);
    assertThat(tracker.submit(job("close").handler("h".repeat(128)).build()).isStored()).isTrue();
  }

  @Test
  void badRetryPolicy() {
    assertReason(job("close").retry(-1).build(), RejectReason.BAD_RETRY_POLICY);
    assertReason(
        job("close")
            .retry(RetryPolicy.DEFAULT.withDelays(Duration.ofSeconds(-1), Duration.ofSeconds(1)))
            .build(),
        RejectReason.BAD_RETRY_POLICY);
  }

  @Test
  void badOverlapPolicies() {
    for (OverlapPolicy bad :
        List.of(
            new OverlapPolicy(OverlapPolicy.Kind.UNKNOWN, 1),
            OverlapPolicy.queue(0),
            OverlapPolicy.queue(1_001))) {
      assertReason(
          job("poll").every(Duration.ofMinutes(1)).overlap(bad).build(),
          RejectReason.BAD_OVERLAP_POLICY);
    }
    assertRejected(
        job("close").overlap(OverlapPolicy.skip()).build(),
        RejectReason.BAD_OVERLAP_POLICY,
        "a one-shot cannot have an overlap policy: it has only one trigger");
    assertRejected(
        job("poll").every(Duration.ofMinutes(1)).overlap(OverlapPolicy.queue(1_001)).build(),
        RejectReason.BAD_OVERLAP_POLICY,
        "the limit 1001 of the overlap policy must be between 1 and 1000");
    for (OverlapPolicy good :
        List.of(
            OverlapPolicy.allow(),
            OverlapPolicy.skip(),
            OverlapPolicy.queue(1),
            OverlapPolicy.queue(1_000))) {
      assertThat(
              tracker
                  .submit(
                      job("poll-" + good.kind() + good.limit())
                          .every(Duration.ofMinutes(1))
                          .overlap(good)
                          .build())
                  .isStored())
          .isTrue();
    }
  }

  @Test
  void badTraceContexts() {
    String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    assertRejected(
        job("close").traceParent(parent.toUpperCase(Locale.ROOT)).build(),
        RejectReason.BAD_TRACE_CONTEXT,
        "the trace parent must have the form defined by W3C Trace Context, such as " + parent);
    assertRejected(
        job("close").traceParent(parent).traceState("a=1,b").build(),
        RejectReason.BAD_TRACE_CONTEXT,
        "member 2 of the trace state must have the form key=value");
    assertThat(
            tracker
                .submit(job("close").traceParent(parent).traceState("a=1,b=2").build())
                .isStored())
        .isTrue();
  }

  @Test
  void feedbackForNoClientGroup() {
    Peer stranger = new Peer(NodeRole.CLIENT, "client-9", "", "local");
    Job job = job("close").feedback(true).build();

    assertThat(tracker.submitAs(stranger, job))
        .isEqualTo(
            SubmitResult.rejected(
                "close",
                RejectReason.NO_CLIENT_GROUP,
                "feedback is sent to a client group, and the client that asks for it has"
                    + " none: its HELLO names an empty group"));
    assertThat(tracker.submitAs(stranger, job("close").build()).isStored()).isTrue();
  }

  @Test
  void badMisfirePolicies() {
    for (MisfirePolicy bad :
        List.of(
            new MisfirePolicy(MisfirePolicy.Kind.UNKNOWN, Duration.ofHours(1), 1, false),
            MisfirePolicy.latest().within(Duration.ofMillis(9_999)),
            MisfirePolicy.latest().within(Duration.ofDays(365).plusMillis(1)),
            MisfirePolicy.all().within(Duration.ofSeconds(Long.MAX_VALUE)),
            MisfirePolicy.all().atMost(0),
            MisfirePolicy.all().atMost(1_001))) {
      assertReason(
          job("poll").every(Duration.ofMinutes(1)).misfire(bad).build(),
          RejectReason.BAD_MISFIRE_POLICY);
    }
    assertRejected(
        job("close").misfire(MisfirePolicy.all()).build(),
        RejectReason.BAD_MISFIRE_POLICY,
        "a one-shot cannot have a misfire policy: it is never missed and runs when possible");
    assertRejected(
        job("poll")
            .every(Duration.ofMinutes(1))
            .misfire(MisfirePolicy.none().within(Duration.ofSeconds(9)))
            .build(),
        RejectReason.BAD_MISFIRE_POLICY,
        "the window PT9S of the misfire policy must be between PT10S and PT8760H");
    for (MisfirePolicy good :
        List.of(
            MisfirePolicy.none().within(Duration.ofSeconds(10)),
            MisfirePolicy.latest().within(Duration.ofDays(365)),
            MisfirePolicy.all().atMost(1),
            MisfirePolicy.all().atMost(1_000).alsoAfterPause())) {
      assertThat(
              tracker
                  .submit(
                      job("poll-" + good.kind() + good.cap())
                          .every(Duration.ofMinutes(1))
                          .misfire(good)
                          .build())
                  .isStored())
          .isTrue();
    }
  }

  @Test
  void parameterWithoutAValue() {
    assertRejected(
        withParams(Collections.singletonMap("orderId", null)),
        RejectReason.BAD_PARAMS,
        "parameter 'orderId' has no value");
  }

  @Test
  void tooLargeParametersAreCountedInBytes() {
    int half = (1 << 20) / 2;
    Map<String, String> fits = Map.of("k", "ü".repeat(half - 1) + "x");
    assertThat(tracker.submit(withParams(fits)).isStored()).isTrue();

    SubmitResult result = tracker.submit(withParams(Map.of("k", "ü".repeat(half))));

    assertThat(result.reason()).isEqualTo(RejectReason.PARAMS_TOO_LARGE);
    assertThat(result.message())
        .isEqualTo(
            "the parameters have 1048577 bytes of UTF-8 in total; at most 1048576 are allowed");
  }

  @Test
  void badSubmissionIds() {
    for (String id : List.of("", " ", "s".repeat(41))) {
      assertThat(tracker.submit(id, job("close").build()).reason())
          .isEqualTo(RejectReason.BAD_SUBMISSION_ID);
    }
    assertThat(tracker.submit("s".repeat(40), job("close").build()).isStored()).isTrue();
  }

  @Test
  void storeThatCannotBeReachedIsUnavailableAndTheSameSubmitSucceedsLater() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failNext(FaultyTransactions.Fault.UNREACHABLE);

    SubmitResult first = shaky.submit("submission-1", job("close").build());
    SubmitResult second = shaky.submit("submission-1", job("close").build());

    assertThat(first.reason()).isEqualTo(RejectReason.UNAVAILABLE);
    assertThat(first.message()).startsWith("orders/close was not stored: ");
    assertThat(second.status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(waiting("close")).hasSize(1);
  }

  @Test
  void commitOfUnknownOutcomeIsNotAcknowledgedAndItsResendStoresOneJob() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    for (FaultyTransactions.Fault fault :
        List.of(
            FaultyTransactions.Fault.COMMITTED_OUT_OF_REACH,
            FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH)) {
      transactions.failNext(fault);

      SubmitResult first = shaky.submit("of-" + fault, job(fault.name()).build());
      SubmitResult resent = shaky.submit("of-" + fault, job(fault.name()).build());

      assertThat(first.reason()).isEqualTo(RejectReason.UNAVAILABLE);
      assertThat(resent).isEqualTo(SubmitResult.accepted(fault.name()));
      assertThat(waiting(fault.name())).hasSize(1);
    }
  }

  @Test
  void requestOfNoJobsOrTooManyIsABadRequest() {
    JobSubmission one = new JobSubmission("s", job("close").build());
    for (List<JobSubmission> submissions :
        List.of(List.<JobSubmission>of(), Collections.nCopies(SubmitRequest.MAX_JOBS + 1, one))) {
      CompletableFuture<?> reply =
          tracker
              .jobs()
              .submitter()
              .submit(HandDrivenTracker.CLIENT, new SubmitRequest(submissions));

      assertThatThrownBy(reply::join)
          .cause()
          .isInstanceOf(RpcException.class)
          .extracting(failure -> ((RpcException) failure).code())
          .isEqualTo(ErrorCode.BAD_REQUEST);
    }
  }

  @Test
  void timeoutIsFromOneMillisecondToAYear() {
    for (Duration bad :
        List.of(
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofNanos(999_999),
            Duration.ofDays(366))) {
      Job job = job("close").timeout(bad).build();
      assertRejected(
          job,
          RejectReason.BAD_TIMEOUT,
          "the time-out " + bad + " must be between PT0.001S and PT8760H");
    }
    for (Duration good : List.of(Duration.ofMillis(1), Duration.ofDays(365))) {
      assertThat(tracker.submit(job("of-" + good).timeout(good).build()).status())
          .isEqualTo(SubmitStatus.ACCEPTED);
    }
  }

  @Test
  void timeForTheWholeRunIsFromOneMillisecondToAYear() {
    for (Duration bad : List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(366))) {
      assertRejected(
          job("close").within(bad).build(),
          RejectReason.BAD_BATCH_OPTIONS,
          "the time " + bad + " for a run with its parts must be between PT0.001S and PT8760H");
    }
    assertThat(tracker.submit(job("close").within(Duration.ofDays(365)).build()).isStored())
        .isTrue();
  }

  @Test
  void policyForFailedPartsOfALaterVersion() {
    assertRejected(
        job("close").onPartFailure(PartFailurePolicy.UNKNOWN).build(),
        RejectReason.BAD_BATCH_OPTIONS,
        "the policy for failed parts must be FINISH, STOP or IGNORE");
  }

  @Test
  void reduceIsTheNameOfAHandler() {
    assertReason(job("close").reduce(" ").build(), RejectReason.BAD_HANDLER);
    assertReason(job("close").reduce("x".repeat(129)).build(), RejectReason.BAD_HANDLER);
    assertThat(tracker.submit(job("close").reduce("x".repeat(128)).build()).isStored()).isTrue();
  }

  private void assertReason(Job job, RejectReason reason) {
    SubmitResult result = tracker.submit(job);
    assertThat(result.reason()).as("%s", result).isEqualTo(reason);
    assertThat(result.message()).isNotBlank();
    assertThat(waiting(job.taskId())).isEmpty();
  }

  private void assertRejected(Job job, RejectReason reason, @Nullable String message) {
    assertThat(tracker.submit(job))
        .isEqualTo(
            SubmitResult.rejected(job.taskId() == null ? "" : job.taskId(), reason, message));
  }

  /** A job whose parameters did not go through the builder, as one from the wire. */
  private static Job withParams(Map<String, String> params) {
    return new Job(
        GROUP,
        "close",
        new Schedule.Once(null, null),
        new HashMap<>(params),
        100,
        null,
        RetryPolicy.DEFAULT,
        null,
        null,
        null,
        false,
        true,
        false,
        null);
  }
}
