package io.millrace.jobclient;

import io.millrace.api.Job;
import io.millrace.api.OutboxConfig;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.RecordingTracker;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A client with an outbox and a tracker, on one thread, a clock by hand and a network by hand. */
final class OutboxRig implements AutoCloseable {
  static final String TRACKER = "127.0.0.1:35001";
  static final Duration TIMEOUT = Duration.ofSeconds(30);
  static final Duration PATIENCE = Duration.ofSeconds(1);
  static final Duration A_WHILE = Duration.ofSeconds(15);

  final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  final ManualTimer timer = new ManualTimer(clock);
  final RecordingTracker tracker = new RecordingTracker();
  final List<SavedJobOutcome> delivered = new ArrayList<>();
  final InProcessNetwork network;

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Path home;
  private final long seed;
  private Path directory;
  private @Nullable RpcServer server;
  private @Nullable Token token;
  private int processes;
  private JobClient client;

  OutboxRig(Path home) {
    this(home, 1);
  }

  OutboxRig(Path home, long seed) {
    this.home = home;
    this.seed = seed;
    this.directory = home.resolve("outbox-0");
    this.network = new InProcessNetwork(timer, tasks::add, clock, seed);
    this.client = start(OutboxConfig.of(directory));
  }

  JobClient client() {
    return client;
  }

  Path directory() {
    return directory;
  }

  /** Ends the process in good order and begins another one with the same outbox. */
  void restart() {
    restart(OutboxConfig.of(directory));
  }

  void restart(OutboxConfig config) {
    restart(config, builder -> builder);
  }

  void restart(OutboxConfig config, UnaryOperator<JobClientBuilder> change) {
    client.close();
    run(Duration.ZERO);
    client = start(config, change);
  }

  /**
   * Ends the process as a kill would, and begins another one with what is on the disk at this
   * instant.
   */
  void killAndRestart() {
    Path crashed = directory;
    directory = home.resolve("outbox-" + (processes + 1));
    copy(crashed, directory);
    String killed = "client-" + processes;
    network.cut(killed);
    JobClient dead = client;
    client = start(OutboxConfig.of(directory));
    dead.close();
    run(Duration.ZERO);
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to);
      Files.copy(from.resolve("outbox.mv"), to.resolve("outbox.mv"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JobClient start(OutboxConfig config) {
    return start(config, builder -> builder);
  }

  private JobClient start(OutboxConfig config, UnaryOperator<JobClientBuilder> change) {
    processes++;
    String id = "client-" + processes;
    Executor queue = tasks::add;
    OutboxConfig unsynced =
        new OutboxConfig(
            config.directory(), config.maxEntries(), config.maxBytes(), config.maxAge(), false);
    JobClientBuilder usual =
        JobClient.builder()
            .trackers(TRACKER)
            .id(id)
            .requestTimeout(TIMEOUT)
            .closeTimeout(Duration.ZERO)
            .outbox(unsynced)
            .outboxPatience(PATIENCE)
            .resources(
                new ClientResources(
                    clock,
                    timer,
                    queue,
                    queue,
                    network.connector(RpcConnectorConfig.of(NodeRole.CLIENT, id, "shop", token)),
                    new Random(seed + processes)));
    JobClient started = change.apply(usual).build();
    started.onDelivered(delivered::add);
    return started;
  }

  /** The tracker can be reached, once the client has found that out. */
  void up() {
    if (server == null) {
      server = network.server(TRACKER, "tracker-1", RoleTokens.NONE);
      server.start(tracker, session -> {});
    }
  }

  /** The tracker is gone, and the client has noticed. */
  void down() {
    if (server != null) {
      server.close();
      server = null;
    }
    run(PATIENCE);
  }

  void policy(DeliveryPolicy policy) {
    network.setPolicy(policy);
  }

  /** The next process gives this token, which the tracker does not ask for. */
  void wrongToken() {
    token = Token.of("0123456789abcdef0123456789abcdef");
  }

  CompletableFuture<SubmitResult> submit(Job job) {
    return client.submitAsync(job);
  }

  static Job job(String taskId) {
    return Job.builder("orders", taskId).build();
  }

  static Job replacing(String taskId) {
    return Job.builder("orders", taskId).replaceExisting(true).build();
  }

  /** Lets this much time pass. */
  void run(Duration duration) {
    long end = clock.millis() + duration.toMillis();
    drain();
    while (timer.nextDueMillis().orElse(Long.MAX_VALUE) <= end && timer.runNext()) {
      drain();
    }
    if (clock.millis() < end) {
      timer.advanceTo(end);
    }
    drain();
  }

  private void drain() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
