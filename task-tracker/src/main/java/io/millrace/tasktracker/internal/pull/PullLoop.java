package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one pull open while slots are free, and sends a newer one as soon as more slots are free.
 * While no slot is free, it sends one heartbeat per interval. It sends at most one pull in one turn
 * of the loop. While invocations end fast, it pulls more executions than there are slots, so that
 * no slot waits for the next pull (see {@link Prefetch}).
 *
 * <p>Confined to the loop: all methods and callbacks run on it.
 */
public final class PullLoop {
  private static final Logger LOG = LoggerFactory.getLogger(PullLoop.class);

  /** Executions beyond the slots are pulled when the capacity divided by this number is free. */
  private static final int BULK_PART = 4;

  /** What this software knows beyond plain jobs. */
  private static final List<String> FEATURES = List.of(PullRequest.PARTS);

  private enum Mode {
    PULLING,
    /** Sends heartbeats, but pulls no work. */
    DRAINING,
    STOPPED
  }

  private final PullConfig config;
  private final TrackerPulls tracker;
  private final PulledWork work;
  private final TimedExecutor loop;
  private final PullPace pace;
  private final Prefetch prefetch;
  private final SlotAccounting ledger;
  private final OwnerSearch owner;
  private final Set<Long> held = new LinkedHashSet<>();
  private final OwnLeases leases;
  private final LateAnswers lateAnswers = new LateAnswers();

  private Mode mode = Mode.PULLING;
  private boolean connected;
  private boolean heldBack;
  private boolean pullWanted;

  /** Whether an answer with work left slots of its pull that have not been offered since. */
  private boolean slotsLeft;

  private boolean failing;
  private Timer.@Nullable Timeout nextHeartbeat;

  /**
   * Creates a loop that is not connected.
   *
   * @param loop runs tasks one at a time, in order
   */
  public PullLoop(PullConfig config, TrackerPulls tracker, PulledWork work, TimedExecutor loop) {
    this.config = config;
    this.tracker = tracker;
    this.work = work;
    this.loop = loop;
    this.pace = new PullPace(loop.clock(), config.interval(), config.retryDelay());
    this.prefetch = new Prefetch(mostBeyondSlots(config), loop.clock());
    this.ledger = new SlotAccounting(config.slots(), PullRequest.before(config.process()));
    this.owner = new OwnerSearch(tracker, loop);
    this.leases = new OwnLeases(loop, work::mayBeLost);
  }

  private static int mostBeyondSlots(PullConfig config) {
    return Math.min(config.prefetch(), PullConfig.MAX_SLOTS - config.slots());
  }

  /**
   * Holds executions of an earlier process of this worker, whose results still wait to be
   * acknowledged.
   */
  public void hold(List<Long> executionIds) {
    held.addAll(executionIds);
  }

  /** Stops pulling work, or resumes it. Open pulls may still return work. */
  public void holdBack(boolean isHeldBack) {
    heldBack = isHeldBack;
    pullSoon();
  }

  /** Pulls at once, because the first or another tracker is connected. */
  public void connected() {
    ledger.giveUpAll();
    connected = true;
    owner.connected();
    pace.clearPause();
    pull();
  }

  /** Gives up all open pulls, because the connection is lost. */
  public void disconnected() {
    connected = false;
    ledger.giveUpAll();
  }

  /**
   * Records that an execution is over and its slot is free.
   *
   * @param invocationHasRun whether the execution had begun; false if its invocation never began
   */
  public void slotFreed(boolean invocationHasRun) {
    ledger.ended();
    if (invocationHasRun) {
      prefetch.ended();
    }
    pullSoon();
  }

  /**
   * Removes an execution whose result the tracker has acknowledged, or whose result was given up.
   */
  public void released(long executionId) {
    leases.released(executionId);
    if (held.remove(executionId)) {
      pullSoon();
    }
  }

  /** Pulls no more work, gives up open pulls, and continues to send heartbeats. */
  public void drain() {
    if (mode != Mode.PULLING) {
      return;
    }
    mode = Mode.DRAINING;
    ledger.openPulls().forEach(this::giveUp);
    pull();
  }

  /** Returns a future that completes when no answer that could still contain work is under way. */
  public CompletableFuture<Void> whenNoLateAnswers() {
    return lateAnswers.whenNone();
  }

  /** Stops for good. No further pull is sent. */
  public void stop() {
    mode = Mode.STOPPED;
    ledger.giveUpAll();
    leases.stop();
    Timer.cancel(nextHeartbeat);
  }

  private void pullSoon() {
    if (!pullWanted) {
      pullWanted = true;
      loop.execute(this::pullIfWorthwhile);
    }
  }

  private void pullIfWorthwhile() {
    pullWanted = false;
    ledger.setBeyondSlots(prefetch.allowance());
    if (mayAskForWork() && isWorthAsking() && !pace.isPaused()) {
      pull();
    }
  }

  /**
   * Returns whether a pull is worth sending. A free slot is reason enough to pull at once. While
   * all slots run, executions beyond the slots are pulled in bulk, unless the tracker left slots
   * for what falls due next, or has claimed executions that come with the next answer.
   */
  private boolean isWorthAsking() {
    boolean atOnce = slotsLeft || ledger.running() < config.slots();
    int least = atOnce ? 1 : Math.max(1, ledger.capacity() / BULK_PART);
    return ledger.free() >= least;
  }

  private boolean mayAskForWork() {
    return mode == Mode.PULLING
        && connected
        && !heldBack
        && held.size() - ledger.running() <= config.maxUnacknowledged();
  }

  private void pull() {
    if (mode == Mode.STOPPED || !connected) {
      return;
    }
    send(mayAskForWork());
  }

  private void send(boolean asksForWork) {
    List<Long> openPulls = ledger.openPulls();
    long number = asksForWork ? ledger.openWithFreeSlots() : ledger.openHeartbeat();
    slotsLeft &= !asksForWork;
    long sentAt = pace.sent();
    PullRequest request =
        new PullRequest(
            number,
            ledger.reservedBy(number),
            openPulls,
            List.copyOf(held),
            pace.aliveMillis(),
            config.slots(),
            ledger.running(),
            null,
            FEATURES,
            config.labels().isEmpty() ? null : config.labels());
    Timer.Timeout giveUp = loop.schedule(config.giveUpAfter(), () -> noAnswer(number));
    heartbeatIn(pace.untilNextHeartbeat(false));
    trySend(request)
        .whenCompleteAsync(
            (reply, failure) -> {
              giveUp.cancel();
              lateAnswers.arrived(number);
              if (failure == null) {
                answered(request, sentAt, reply);
              } else {
                failed(number, failure);
              }
              work.answered(reply);
            },
            loop);
  }

  /**
   * Sends a pull. If it cannot be sent, the future fails as if it had been sent; otherwise its
   * slots would never be released.
   */
  private CompletableFuture<PullReply> trySend(PullRequest request) {
    try {
      return tracker.pull(request);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private void heartbeatIn(long nanos) {
    Timer.cancel(nextHeartbeat);
    nextHeartbeat = loop.schedule(Duration.ofNanos(nanos), this::heartbeat);
  }

  /**
   * Sends a heartbeat if it is due. The next heartbeat is scheduled before any step that may fail.
   *
   * <p>The answer to a parked pull renews leases too, but waits for what is claimed for it, which
   * takes long on a busy tracker. So leases that are half over are not left to it.
   */
  private void heartbeat() {
    if (mode == Mode.STOPPED || !connected) {
      return;
    }
    heartbeatIn(config.interval().toNanos());
    long wait = pace.untilNextHeartbeat(ledger.reserved() > 0 && !leases.isAnyHalfOver());
    if (wait > 0) {
      heartbeatIn(wait);
    } else {
      pull();
    }
  }

  private void answered(PullRequest request, long sentAt, PullReply reply) {
    boolean open = ledger.isOpen(request.number());
    int taken = take(request.number(), leasedAt(sentAt, reply), reply);
    forward(reply);
    if (reply.status() == PullStatus.SERVED) {
      leases.answered(sentAt, request.held(), reply.leaseMillis());
      renewIfLate(taken);
      recordHealth(request.number(), reply.trouble());
      owner.found();
    } else if (open) {
      pace.askAgainIn(OwnerSearch.ASK_AGAIN);
      heartbeatIn(pace.untilNextHeartbeat(false));
      owner.notOwner(reply.owner());
    }
    if (open
        && (taken > 0
            || reply.carriedTo() != null
            || !reply.stopRequested().isEmpty()
            || pace.isIntervalOver(sentAt))) {
      pullSoon();
    }
  }

  /**
   * Returns the earliest time at which the leases of the assignments can have begun: the pull
   * arrived at the tracker after it was sent.
   */
  private long leasedAt(long sentAt, PullReply reply) {
    long elapsed = loop.clock().nanoTime() - sentAt;
    long after = reply.leasedAfterMillis() == null ? 0 : Math.max(0, reply.leasedAfterMillis());
    return sentAt + Math.min(elapsed, TimeUnit.MILLISECONDS.toNanos(after));
  }

  /**
   * Sends a heartbeat at once if executions came with leases that are half over. The pull that is
   * sent next may be answered as late as the one that they came with.
   */
  private void renewIfLate(int taken) {
    if (taken > 0 && mode != Mode.STOPPED && connected && leases.isAnyHalfOver()) {
      send(false);
    }
  }

  /** Forwards what the tracker reports about the executions that this worker holds. */
  private void forward(PullReply reply) {
    work.stopRequested(reply.stopRequested());
    work.terminated(reply.interrupt());
    work.areLost(reply.lost());
  }

  /**
   * Starts the executions that fit and still have a lease, and hands back the rest. Returns how
   * many executions were new.
   */
  private int take(long number, long leasedAt, PullReply reply) {
    List<Assignment> fresh = new ArrayList<>();
    for (Assignment assignment : reply.assignments()) {
      if (held.add(assignment.executionId())) {
        leases.received(assignment.executionId(), leasedAt);
        fresh.add(assignment);
      } else {
        LOG.debug(
            "pull: ignored execution {}, which was received before", assignment.executionId());
      }
    }
    int wanted = leases.isOver(leasedAt, reply.leaseMillis()) ? 0 : fresh.size();
    int reserved = ledger.reservedBy(number);
    int started = ledger.answered(number, wanted, reply.carriedTo());
    slotsLeft = started > 0 && started < reserved;
    fresh.subList(0, started).forEach(work::start);
    List<Assignment> excess = fresh.subList(started, fresh.size());
    if (!excess.isEmpty()) {
      LOG.info(
          "pull {}: returns {} executions that arrived too late or exceed the free slots",
          number,
          excess.size());
      excess.forEach(work::handBack);
    }
    return fresh.size();
  }

  private void failed(long number, Throwable failure) {
    if (ledger.giveUp(number)) {
      isTroubled(number, failure.toString());
    }
  }

  private void recordHealth(long number, @Nullable String trouble) {
    if (trouble == null) {
      recovered();
    } else {
      isTroubled(number, trouble);
    }
  }

  /** Records a failed pull; the next pull is sent after a pause. */
  private void isTroubled(long number, String why) {
    pace.pause();
    if (failing) {
      LOG.debug("pull {}: failed: {}", number, why);
    } else {
      failing = true;
      LOG.warn("pull {}: failed; retrying: {}", number, why);
    }
  }

  private void recovered() {
    if (failing) {
      failing = false;
      LOG.info("pull: succeeded again");
    }
  }

  private void noAnswer(long number) {
    if (giveUp(number)) {
      LOG.warn("pull {}: no answer within {}; giving up this pull", number, config.giveUpAfter());
      pullSoon();
    }
  }

  private boolean giveUp(long number) {
    boolean open = ledger.giveUp(number);
    if (open) {
      lateAnswers.expect(number);
    }
    return open;
  }
}
