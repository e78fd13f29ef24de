package io.millrace.jobtracker.group.pull;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.Timer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pull that waits for work. Guarded by the {@link ParkedPulls} among which it waits. */
final class ParkedPull {
  final Peer worker;
  final long number;
  final List<Long> held;
  final CompletableFuture<PullReply> reply = new CompletableFuture<>();
  int slots;

  /** On the monotonic line. */
  long parkedUntil;

  /** The load of the waiting queue that was under way when the pull came; 0 if none was. */
  long loadOnArrival;

  /** Whether its worker is to learn at once that it has lost executions. */
  boolean tellsLoss;

  Timer.@Nullable Timeout timeout;

  ParkedPull(Peer worker, long number, List<Long> held, int slots) {
    this.worker = worker;
    this.number = number;
    this.held = held;
    this.slots = slots;
  }
}
