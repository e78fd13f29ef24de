package io.millrace.jobtracker.group.pull;

import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.LoadSession;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pull that waits for work. Guarded by the {@link ParkedPulls} that contains it. */
final class ParkedPull {
  final Peer worker;
  final long number;

  /** The worker process that sent it. */
  final BoundTo process;

  final List<Long> held;
  final CompletableFuture<PullReply> reply = new CompletableFuture<>();
  int slots;

  /** Monotonic milliseconds. */
  final long arrivedAt;

  /** When the leases of the executions that answer it began. Monotonic milliseconds. */
  long leasedAt;

  /** Monotonic milliseconds. */
  long parkedUntil;

  /** The load of the waiting queue under way at arrival; null if none was. */
  @Nullable LoadSession loadOnArrival;

  /** What triggers may require of its worker. */
  Set<String> offers = Set.of();

  /** Whether its worker must be notified at once of executions that it has lost. */
  boolean reportsLoss;

  Timer.@Nullable Timeout timeout;

  ParkedPull(Peer worker, long number, List<Long> held, int slots, long arrivedAt) {
    this.worker = worker;
    this.number = number;
    this.process = new BoundTo(worker.nodeId(), PullRequest.processOf(number));
    this.held = held;
    this.slots = slots;
    this.arrivedAt = arrivedAt;
    this.leasedAt = arrivedAt;
  }

  /** Whether its worker may run triggers of a lane. */
  boolean serves(Lane lane) {
    return lane.isServedBy(offers);
  }
}
