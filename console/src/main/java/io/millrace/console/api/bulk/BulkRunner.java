package io.millrace.console.api.bulk;

import io.millrace.console.api.bulk.BulkTarget.Begun;
import io.millrace.console.api.bulk.BulkTarget.Page;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Limit;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.ProblemException;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.console.BulkChangeStore;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.End;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Progress;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.BulkChangeStore.State;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the bulk changes that are under way, a page of each in turn. The lease of a bulk change
 * says which tracker makes it. A page is changed first and then saved with its progress: after a
 * crash, another tracker changes at most one page again, which is harmless. For one thread.
 */
final class BulkRunner {
  private static final Logger LOG = LoggerFactory.getLogger(BulkRunner.class);

  /** The most items of a page; and of these, how many are changed at the same time. */
  static final int PAGE = 100;

  private static final int AT_ONCE = 8;

  /** For how long a tracker that does not go on keeps a bulk change from others. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** For how long what matches is counted; if that does not suffice, the number is not known. */
  private static final Duration COUNTING = Duration.ofSeconds(5);

  /** How many failures that say why are kept. */
  static final int FAILURES_KEPT = 20;

  /** How often a page is tried whose failure may not pass. */
  private static final int TRIES = 5;

  private final BulkChangeStore store;
  private final OperatorStore operators;
  private final Function<Action, BulkTarget<?>> targets;
  private final Clock clock;

  /** The run of this tracker, as leases name it. */
  private final long self;

  /** The failed tries of the page at which a bulk change is, by its id. */
  private final Map<Long, Integer> failedTries = new HashMap<>();

  BulkRunner(
      BulkChangeStore store,
      OperatorStore operators,
      Function<Action, BulkTarget<?>> targets,
      Clock clock,
      long self) {
    this.store = store;
    this.operators = operators;
    this.targets = targets;
    this.clock = clock;
    this.self = self;
  }

  /**
   * Makes a page of each bulk change that no other tracker makes, the oldest first.
   *
   * @return whether to go on at once: some page was made
   */
  boolean runOnce() {
    List<BulkChange> active = new ArrayList<>(store.listActive(Long.MAX_VALUE, BulkChanges.MOST));
    Collections.reverse(active);
    failedTries.keySet().retainAll(active.stream().map(BulkChange::id).toList());
    boolean hasProgressed = false;
    for (BulkChange change : active) {
      long now = clock.millis();
      if (store.lease(change.id(), self, now, now + LEASE.toMillis())) {
        hasProgressed |= makePage(change.id());
      }
    }
    return hasProgressed;
  }

  /** Gives up what this tracker makes, so that others go on at once. */
  void release() {
    store.release(self);
  }

  /** Makes a page of a bulk change; returns false if it is to be tried again later. */
  private boolean makePage(long id) {
    BulkChange change = store.find(id).orElseThrow();
    try {
      Caller caller = callerOf(change.request());
      goOn(change, caller, targets.apply(change.request().action()));
      failedTries.remove(id);
      return true;
    } catch (ProblemException e) {
      return fail(id, e.problem().detail());
    } catch (Exception e) {
      return tryAgain(id, e);
    }
  }

  private <T> void goOn(BulkChange change, Caller caller, BulkTarget<T> target) throws Exception {
    long id = change.id();
    Progress before = change.progress();
    if (before.total() == null && before.reached() == null) {
      Count count = target.count(change, counting());
      Long total = count.isCut() ? null : (Long) (long) count.found();
      Progress counted = new Progress(total, 0, 0, null, List.of());
      boolean unused = store.save(id, self, counted);
      before = counted;
    }
    Page<T> page = target.read(change, PAGE);
    List<Failure> failures = changeAll(change, caller, target, page.items());
    Progress after =
        new Progress(
            before.total(),
            before.done() + page.items().size(),
            before.failed() + failures.size(),
            page.next() == null ? before.reached() : page.next(),
            Stream.concat(before.failures().stream(), failures.stream())
                .limit(FAILURES_KEPT)
                .toList());
    boolean isOurs = store.save(id, self, after);
    if (isOurs && page.next() == null) {
      boolean unused = store.end(id, new End(State.DONE, clock.millis(), null));
    }
  }

  /** The change does not wait for a long count, which is only to be seen. */
  private Bound counting() {
    long began = clock.nanoTime();
    return new Bound(
        Integer.MAX_VALUE, Bound.STEP, () -> clock.nanoTime() - began < COUNTING.toNanos());
  }

  private <T> List<Failure> changeAll(
      BulkChange change, Caller caller, BulkTarget<T> target, List<T> items) throws Exception {
    List<Failure> failures = new ArrayList<>();
    for (int from = 0; from < items.size(); from += AT_ONCE) {
      List<T> some = items.subList(from, Math.min(items.size(), from + AT_ONCE));
      List<Begun> begun = new ArrayList<>();
      for (T item : some) {
        begun.add(target.begin(change, caller, item));
      }
      for (int i = 0; i < some.size(); i++) {
        String why = refusal(begun.get(i));
        if (why != null) {
          failures.add(target.failure(some.get(i), why));
        }
      }
    }
    return failures;
  }

  /** Waits for one; returns why it was refused, by its answer or as a request. */
  private static @Nullable String refusal(Begun one) throws Exception {
    try {
      return one.await();
    } catch (RpcException e) {
      if (e.code() == ErrorCode.UNAVAILABLE) {
        throw e;
      }
      return e.getMessage();
    }
  }

  /**
   * The operator who requested it, with the rights of now; throws a problem if the operator may not
   * make it any more.
   */
  private Caller callerOf(Request request) {
    String name = request.operator();
    Optional<Token> token = operators.findByName(name);
    if (token.isEmpty()) {
      throw Kind.FORBIDDEN.because("the token " + name + " was revoked");
    }
    if (token.get().hasExpired(clock.millis())) {
      throw Kind.FORBIDDEN.because("the token " + name + " has expired");
    }
    Caller caller = new Caller(name, token.get().rights(), request.address());
    String group = request.filter().nodeGroup();
    if (!caller.rights().allow(Role.OPERATE)) {
      throw Kind.FORBIDDEN.because("the token " + name + " may not operate any more");
    }
    Limit.of(caller.rights(), Role.OPERATE)
        .filter(limit -> group == null || !limit.allows(group))
        .ifPresent(
            limit -> {
              throw Kind.FORBIDDEN.because(
                  "the token %s may not operate %s any more"
                      .formatted(name, group == null ? "all node groups" : group));
            });
    return caller;
  }

  private boolean fail(long id, String why) {
    LOG.warn("bulk change {}: ended: {}", id, why);
    return store.end(id, new End(State.FAILED, clock.millis(), why));
  }

  private boolean tryAgain(long id, Exception thrown) {
    Throwable failure = Completions.causeOf(thrown);
    boolean mayPass =
        TransientFailures.isTransient(failure)
            || failure instanceof TimeoutException
            || failure instanceof RpcException;
    int tries = failedTries.merge(id, 1, Integer::sum);
    if (!mayPass && tries >= TRIES) {
      LOG.error("bulk change {}: failed {} times", id, tries, failure);
      return fail(id, "see the tracker's log: " + failure.getMessage());
    }
    LOG.warn("bulk change {}: is tried again: {}", id, failure.toString());
    return false;
  }
}
