package io.millrace.console.api.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.http.Caller;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.ManualClock;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.BulkChangeStore;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.End;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import io.millrace.jobtracker.store.console.BulkChangeStore.Options;
import io.millrace.jobtracker.store.console.BulkChangeStore.Progress;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.BulkChangeStore.State;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BulkRunnerTest {
  private static final long NOW = 1_800_000_000_000L;

  /** The numbers from 1 to so many; what is done at a number is up to the test. */
  private static final class Numbers implements BulkTarget<Integer> {
    private final int count;
    private final List<Integer> changed = new ArrayList<>();
    private final Map<Integer, Action> at = new TreeMap<>();

    /** Returns why the number is refused, or null. */
    @FunctionalInterface
    private interface Action {
      @Nullable String run() throws Exception;
    }

    private Numbers(int count) {
      this.count = count;
    }

    @Override
    public Count count(BulkChange change, Bound bound) {
      return new Count(count, count, false);
    }

    @Override
    public Page<Integer> read(BulkChange change, int limit) {
      String reached = change.progress().reached();
      int from = reached == null ? 0 : Integer.parseInt(reached);
      int to = Math.min(count, from + limit);
      return new Page<>(
          IntStream.rangeClosed(from + 1, to).boxed().toList(),
          to == count ? null : String.valueOf(to));
    }

    @Override
    public Begun begin(BulkChange change, Caller caller, Integer number) {
      changed.add(number);
      Action action = at.get(number);
      return action == null ? () -> null : action::run;
    }

    @Override
    public Failure failure(Integer number, String why) {
      return new Failure("number " + number, null, null, (long) number, why);
    }
  }

  private final TestDatabase database = TestDatabase.h2();
  private final ManualClock clock = new ManualClock(NOW);
  private final BulkChangeStore store = database.stores().console().bulkChanges();
  private final OperatorStore operators = database.stores().console().operators();

  @BeforeEach
  void issueTokens() {
    operators.issue(Token.issued(1, "ann", Rights.of(Role.OPERATE), NOW, "admin", null), "hash-1");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private BulkRunner runner(long self, BulkTarget<?> target) {
    return new BulkRunner(store, operators, action -> target, clock, self);
  }

  private void request(long id, String operator, @Nullable String group) {
    store.add(
        id,
        new Request(
            Action.PAUSE_JOBS,
            new Filter(group, null, null, null, null, null, null, null, null, null),
            new Options(null, null, false),
            NOW,
            operator,
            "::1"));
  }

  private Progress progress(long id) {
    return store.find(id).orElseThrow().progress();
  }

  private @Nullable End end(long id) {
    return store.find(id).orElseThrow().end();
  }

  private static List<Integer> upTo(int count) {
    return IntStream.rangeClosed(1, count).boxed().toList();
  }

  @Test
  void allAreChangedPageByPage() {
    Numbers numbers = new Numbers(250);
    request(7, "ann", null);
    BulkRunner runner = runner(1, numbers);

    assertThat(runner.runOnce()).isTrue();
    assertThat(progress(7)).isEqualTo(new Progress(250L, 100, 0, "100", List.of()));
    assertThat(runner.runOnce()).isTrue();
    assertThat(end(7)).isNull();
    clock.advance(Duration.ofSeconds(2));
    assertThat(runner.runOnce()).isTrue();

    assertThat(progress(7)).isEqualTo(new Progress(250L, 250, 0, "200", List.of()));
    assertThat(end(7)).isEqualTo(new End(State.DONE, NOW + 2_000, null));
    assertThat(numbers.changed).isEqualTo(upTo(250));
    assertThat(runner.runOnce()).as("nothing is left to do").isFalse();
  }

  @Test
  void refusedOnesAreCountedAndTheFirstAreKept() {
    Numbers numbers = new Numbers(100);
    for (int number = 1; number <= 30; number++) {
      numbers.at.put(number, () -> "it is busy");
    }
    numbers.at.put(
        31,
        () -> {
          throw new RpcException(ErrorCode.BAD_REQUEST, "it is reserved");
        });
    request(7, "ann", null);

    assertThat(runner(1, numbers).runOnce()).isTrue();

    assertThat(progress(7).done()).isEqualTo(100);
    assertThat(progress(7).failed()).isEqualTo(31);
    assertThat(progress(7).failures())
        .hasSize(BulkRunner.FAILURES_KEPT)
        .first()
        .isEqualTo(new Failure("number 1", null, null, 1L, "it is busy"));
    assertThat(end(7)).isEqualTo(new End(State.DONE, NOW, null));
  }

  @Test
  void otherTrackerGoesOnOnceTheLeaseHasRunOut() {
    Numbers numbers = new Numbers(150);
    request(7, "ann", null);
    assertThat(runner(1, numbers).runOnce()).isTrue();
    BulkRunner other = runner(2, numbers);

    clock.advance(BulkRunner.LEASE.minusMillis(1));
    assertThat(other.runOnce()).as("the first holds the lease").isFalse();
    clock.advance(Duration.ofMillis(1));
    assertThat(other.runOnce()).isTrue();

    assertThat(end(7)).isNotNull();
    assertThat(progress(7).done()).isEqualTo(150);
    assertThat(numbers.changed).isEqualTo(upTo(150));
  }

  @Test
  void otherTrackerGoesOnAtOnceWhenTheFirstIsClosed() {
    Numbers numbers = new Numbers(150);
    request(7, "ann", null);
    BulkRunner first = runner(1, numbers);
    assertThat(first.runOnce()).isTrue();
    first.release();

    assertThat(runner(2, numbers).runOnce()).isTrue();

    assertThat(numbers.changed).isEqualTo(upTo(150));
    assertThat(end(7)).isNotNull();
  }

  @Test
  void pageOfATrackerThatLostItsLeaseIsNotCountedTwice() {
    Numbers numbers = new Numbers(150);
    BulkRunner other = runner(2, numbers);
    numbers.at.put(
        50,
        () -> {
          numbers.at.clear();
          clock.advance(BulkRunner.LEASE);
          assertThat(other.runOnce()).isTrue();
          assertThat(other.runOnce()).isTrue();
          return null;
        });
    request(7, "ann", null);

    assertThat(runner(1, numbers).runOnce()).isTrue();

    assertThat(progress(7).done()).isEqualTo(150);
    assertThat(end(7)).isEqualTo(new End(State.DONE, clock.millis(), null));
  }

  @Test
  void trackerThatLostItsLeaseLeavesTheEndToTheOther() {
    Numbers numbers = new Numbers(50);
    numbers.at.put(
        25,
        () -> {
          clock.advance(BulkRunner.LEASE);
          assertThat(store.lease(7, 2, clock.millis(), clock.millis() + 1)).isTrue();
          return "it is busy";
        });
    request(7, "ann", null);

    assertThat(runner(1, numbers).runOnce()).isTrue();
    assertThat(end(7)).isNull();
    numbers.at.clear();
    assertThat(runner(2, numbers).runOnce()).isTrue();

    assertThat(progress(7)).isEqualTo(new Progress(50L, 50, 0, null, List.of()));
    assertThat(end(7)).isEqualTo(new End(State.DONE, clock.millis(), null));
  }

  @Test
  void nothingIsChangedAfterThePageInWhichItIsStopped() {
    Numbers numbers = new Numbers(250);
    End stopped = new End(State.STOPPED, NOW, "bob");
    numbers.at.put(150, () -> store.end(7, stopped) ? null : "it had ended");
    request(7, "ann", null);
    BulkRunner runner = runner(1, numbers);

    while (runner.runOnce()) {
      assertThat(numbers.changed).hasSizeLessThanOrEqualTo(200);
    }

    assertThat(numbers.changed).isEqualTo(upTo(200));
    assertThat(progress(7).done()).isEqualTo(200);
    assertThat(progress(7).failed()).isZero();
    assertThat(end(7)).isEqualTo(stopped);
  }

  @Test
  void pageIsTriedAgainForAsLongAsItsFailureMayPass() {
    Numbers numbers = new Numbers(10);
    numbers.at.put(
        5,
        () -> {
          throw new RpcException(ErrorCode.UNAVAILABLE, "not now");
        });
    request(7, "ann", null);
    BulkRunner runner = runner(1, numbers);
    for (int i = 0; i < 50; i++) {
      assertThat(runner.runOnce()).as("pauses before it tries again").isFalse();
    }
    assertThat(progress(7).done()).isZero();

    numbers.at.clear();
    assertThat(runner.runOnce()).isTrue();

    assertThat(progress(7)).isEqualTo(new Progress(10L, 10, 0, null, List.of()));
    assertThat(end(7)).isEqualTo(new End(State.DONE, NOW, null));
  }

  @Test
  void failureThatStaysEndsItAndSaysWhy() {
    Numbers numbers = new Numbers(10);
    numbers.at.put(
        5,
        () -> {
          throw new StoreException("the column is gone", null);
        });
    request(7, "ann", null);
    BulkRunner runner = runner(1, numbers);

    for (int i = 0; i < 4; i++) {
      assertThat(runner.runOnce()).isFalse();
    }
    assertThat(end(7)).isNull();
    assertThat(runner.runOnce()).isTrue();

    assertThat(end(7))
        .isEqualTo(new End(State.FAILED, NOW, "see the tracker's log: the column is gone"));
  }

  @Test
  void severalAreMadeAPageOfEachInTurn() {
    Numbers numbers = new Numbers(150);
    request(7, "ann", null);
    request(8, "ann", null);
    BulkRunner runner = runner(1, numbers);

    assertThat(runner.runOnce()).isTrue();
    assertThat(progress(7).done()).isEqualTo(100);
    assertThat(progress(8).done()).isEqualTo(100);
    assertThat(runner.runOnce()).isTrue();

    assertThat(end(7)).isNotNull();
    assertThat(end(8)).isNotNull();
  }

  @Test
  void oneThatFailsDoesNotHoldUpTheOthers() {
    Numbers numbers = new Numbers(10);
    request(7, "absent", null);
    request(8, "ann", null);

    assertThat(runner(1, numbers).runOnce()).isTrue();

    assertThat(end(7)).isEqualTo(new End(State.FAILED, NOW, "the token absent was revoked"));
    assertThat(end(8)).isEqualTo(new End(State.DONE, NOW, null));
    assertThat(numbers.changed).isEqualTo(upTo(10));
  }

  @Test
  void operatorWhoMayNotOperateAnyMoreChangesNothing() {
    Numbers numbers = new Numbers(150);
    List<String> whys = new ArrayList<>();
    NodeGroups orders = NodeGroups.of(List.of("orders*"));
    operators.issue(
        Token.issued(2, "expired", Rights.of(Role.OPERATE), NOW, "admin", NOW), "hash-2");
    operators.issue(Token.issued(3, "viewer", Rights.of(Role.VIEW), NOW, "admin", null), "hash-3");
    operators.issue(
        Token.issued(4, "limited", Rights.of(Role.OPERATE, orders), NOW, "admin", null), "hash-4");
    request(1, "expired", null);
    request(2, "viewer", "orders");
    request(3, "limited", "mails");
    request(4, "limited", null);
    BulkRunner runner = runner(1, numbers);

    assertThat(runner.runOnce()).isTrue();
    for (long id = 1; id <= 4; id++) {
      assertThat(end(id).state()).isEqualTo(State.FAILED);
      whys.add(end(id).reason());
    }
    assertThat(numbers.changed).isEmpty();
    assertThat(whys)
        .containsExactly(
            "the token expired has expired",
            "the token viewer may not operate any more",
            "the token limited may not operate mails any more",
            "the token limited may not operate all node groups any more");

    request(5, "limited", "orders-eu");
    assertThat(runner.runOnce()).isTrue();
    assertThat(numbers.changed).hasSize(100);
    assertThat(operators.revoke("limited", NOW)).isTrue();
    assertThat(runner.runOnce()).isTrue();
    assertThat(numbers.changed).as("a revoked token ends it").hasSize(100);
    assertThat(end(5)).isEqualTo(new End(State.FAILED, NOW, "the token limited was revoked"));
  }
}
