package io.millrace.benchmarks.scale;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.rpc.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Many workers in one thread of this process, each with a connection of its own to a tracker. */
final class SimulatedWorkers implements AutoCloseable {
  /** So that a tracker is not asked for more handshakes at once than it allows. */
  private static final int CONNECTED_PER_SECOND = 2_000;

  private final EventLoop loop = new EventLoop();
  private final WorkerCounts counts = new WorkerCounts();
  private final int count;

  private SimulatedWorkers(int count) throws IOException {
    this.count = count;
  }

  /**
   * Begins to connect workers.
   *
   * @param slots the number of jobs that each asks for at a time
   * @param group the name of the node group of a worker by its number, from 0
   */
  static SimulatedWorkers start(String address, int count, int slots, IntFunction<String> group)
      throws IOException {
    SimulatedWorkers workers = new SimulatedWorkers(count);
    HostPort tracker = HostPort.parse(address);
    SimulatedWorker.Common common =
        new SimulatedWorker.Common(
            new InetSocketAddress(tracker.host(), tracker.port()),
            slots,
            new JsonCodec(),
            new SplittableRandom(),
            workers.counts);
    String name = "simulated-" + UUID.randomUUID() + "-";
    for (int number = 0; number < count; number++) {
      SimulatedWorker worker =
          new SimulatedWorker(workers.loop, common, name + number, group.apply(number));
      workers.loop.later(TimeUnit.SECONDS.toMillis(number) / CONNECTED_PER_SECOND, worker::connect);
    }
    workers.loop.start();
    return workers;
  }

  WorkerCounts counts() {
    loop.check();
    return counts;
  }

  /** Waits until no worker is connected any more. */
  void awaitDisconnected() throws InterruptedException {
    Bench.await(
        () -> counts().connected() == 0,
        () -> "%d workers are still connected".formatted(counts.connected()));
  }

  /** Waits until all workers are connected. */
  void awaitConnected() throws InterruptedException {
    Bench.await(
        () -> counts().connected() == count,
        () ->
            "%d of %d workers are connected, %s"
                .formatted(counts.connected(), count, counts.lastLoss()));
  }

  /** Waits until a pull of each worker has been answered. */
  void awaitServed() throws InterruptedException {
    Bench.await(
        () -> counts().served() == count,
        () ->
            "%d of %d workers are served, %s".formatted(counts.served(), count, counts.lastLoss()));
  }

  @Override
  public void close() {
    loop.close();
  }
}
