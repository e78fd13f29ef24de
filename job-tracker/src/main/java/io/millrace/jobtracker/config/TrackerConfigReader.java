package io.millrace.jobtracker.config;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Secret;
import io.millrace.internal.config.Settings;
import io.millrace.internal.config.ValueType;
import io.millrace.internal.config.ValueTypes;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.internal.rpc.Token;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads every configuration key of a tracker once; docs/configuration.md explains the keys. */
final class TrackerConfigReader {
  private static final ValueType<ZoneId> ZONE =
      new ValueType<>(
          "time zone",
          TrackerConfigReader::zone,
          ZoneId::getId,
          TrackerSettings.DEFAULT_ZONE,
          false);

  private final Settings settings;

  TrackerConfigReader(Settings settings) {
    this.settings = settings;
  }

  JobTrackerConfig read() {
    RpcServerConfig rpc = settings.section("rpc", this::rpc, RpcServerConfig.onLoopback(0));
    int rpcThreads =
        settings.integer(
            "rpc.threads", JobTrackerConfig.DEFAULT_RPC_THREADS, Bounds.between(1, 64));
    StoreConfig store = settings.section("store", this::store, StoreConfig.of("jdbc:h2:mem:"));
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker());
  }

  private RpcServerConfig rpc() {
    ConnectionLimits limits = ConnectionLimits.DEFAULT;
    return new RpcServerConfig(
        settings.string("rpc.host", "127.0.0.1"),
        settings.integer("rpc.port", 35_001, Bounds.between(0, 65_535)),
        settings.optional("rpc.advertised-host", ValueTypes.STRING).orElse(null),
        settings.integer("rpc.advertised-port", 0, Bounds.between(0, 65_535)),
        new RoleTokens(token("rpc.client-token"), token("rpc.worker-token")),
        tls(),
        together(),
        new ConnectionLimits(
            (int)
                settings.byteSize(
                    "rpc.max-frame", limits.maxFrameBytes(), Bounds.between(4L << 20, 64L << 20)),
            settings.integer(
                "rpc.max-requests-under-way",
                limits.maxRequestsUnderWay(),
                Bounds.between(1, 100_000)),
            settings.byteSize(
                "rpc.max-unsent", limits.maxUnsentBytes(), Bounds.between(4L << 20, 1L << 30)),
            settings.duration("rpc.handshake-timeout", limits.handshakeTimeout()),
            settings.duration("rpc.idle-timeout", limits.idleTimeout()),
            settings.duration("rpc.frame-timeout", limits.frameTimeout())));
  }

  private ServerLimits together() {
    ServerLimits limits = ServerLimits.DEFAULT;
    return new ServerLimits(
        settings.integer(
            "rpc.max-connections", limits.maxConnections(), Bounds.between(1, 1_000_000)),
        settings.integer(
            "rpc.max-handshakes", limits.maxHandshakes(), Bounds.between(1, 1_000_000)),
        settings.byteSize(
            "rpc.max-unsent-of-all", limits.maxUnsentBytes(), Bounds.between(4L << 20, 64L << 30)),
        settings.byteSize(
            "rpc.max-received-of-all",
            limits.maxReceivedBytes(),
            Bounds.between(4L << 20, 64L << 30)));
  }

  private @Nullable Token token(String key) {
    Optional<Secret> secret = settings.optional(key, ValueTypes.SECRET);
    if (secret.isEmpty()) {
      return null;
    }
    try {
      return Token.of(secret.get().reveal());
    } catch (IllegalArgumentException e) {
      settings.reject(key, "is invalid: " + e.getMessage());
      return null;
    }
  }

  private @Nullable TlsIdentity tls() {
    Optional<Path> certificate = settings.optional("rpc.tls.certificate", ValueTypes.PATH);
    Optional<Path> key = settings.optional("rpc.tls.key", ValueTypes.PATH);
    if (certificate.isPresent() != key.isPresent()) {
      settings.reject(
          certificate.isPresent() ? "rpc.tls.certificate" : "rpc.tls.key",
          "needs rpc.tls.certificate and rpc.tls.key together");
    }
    Optional<Path> trust = settings.optional("rpc.tls.trust", ValueTypes.PATH);
    if (trust.isPresent() && certificate.isEmpty()) {
      settings.reject("rpc.tls.trust", "needs rpc.tls.certificate and rpc.tls.key");
    }
    return certificate.isPresent() && key.isPresent()
        ? new TlsIdentity(certificate.get(), key.get(), trust.orElse(null))
        : null;
  }

  private StoreConfig store() {
    return new StoreConfig(
        settings.string("store.url", "jdbc:h2:file:./data/millrace"),
        settings.string("store.username", ""),
        settings.optional("store.password", ValueTypes.SECRET).map(Secret::reveal).orElse(""),
        settings.integer(
            "store.pool-size", StoreConfig.DEFAULT_POOL_SIZE, Bounds.between(2, 1_000)),
        settings.duration("store.connection-timeout", StoreConfig.DEFAULT_CONNECTION_TIMEOUT));
  }

  private TrackerSettings tracker() {
    String id =
        settings
            .optional("tracker.id", ValueTypes.STRING)
            .orElseGet(() -> UUID.randomUUID().toString());
    GenerationLimits generation =
        settings.section("generate", this::generation, GenerationLimits.DEFAULT);
    ServiceConfig service = settings.section("service", this::service, ServiceConfig.DEFAULT);
    if (generation.misfireThreshold().compareTo(service.preload().period()) <= 0) {
      settings.reject("generate.misfire-threshold", "must be longer than preload.period");
      generation = GenerationLimits.DEFAULT;
      service = ServiceConfig.DEFAULT;
    }
    return new TrackerSettings(
        id,
        settings.get("tracker.default-zone", ZONE, TrackerSettings.DEFAULT_ZONE),
        settings.section("node groups", this::nodeGroups, NodeGroupConfig.DEFAULT),
        generation,
        service,
        settings.section("retention", this::retention, RetentionConfig.DEFAULT),
        quotas());
  }

  private NodeGroupConfig nodeGroups() {
    NodeGroupConfig defaults = NodeGroupConfig.DEFAULT;
    Bounds<Integer> bounds = NodeGroupConfig.COUNT;
    return new NodeGroupConfig(
        settings.integer("tracker.max-node-groups", defaults.max(), bounds),
        settings.integer(
            "tracker.max-node-groups-of-client-group", defaults.maxOfClientGroup(), bounds),
        settings.duration("tracker.drop-unused-node-groups-after", defaults.dropUnusedAfter()));
  }

  private QuotaConfig quotas() {
    QuotaConfig defaults = QuotaConfig.DEFAULT;
    return new QuotaConfig(
        quota("waiting.max-bytes-of-group", defaults.waitingBytesOfGroup()),
        quota("waiting.max-bytes", defaults.waitingBytes()),
        quota("job-log.max-bytes", defaults.jobLogBytes()),
        quota("job-log.max-bytes-of-execution", defaults.jobLogBytesOfExecution()),
        quota("kept.max-bytes", defaults.keptBytes()),
        quota("results.max-bytes", defaults.resultBytes()));
  }

  private long quota(String key, long usual) {
    return settings.byteSize(key, usual, QuotaConfig.BYTES);
  }

  private GenerationLimits generation() {
    GenerationLimits limits = GenerationLimits.DEFAULT;
    return new GenerationLimits(
        settings.duration(
            "generate.window", limits.window(), Bounds.atLeast(Duration.ofSeconds(10))),
        settings.integer(
            "generate.triggers-ahead", limits.triggersAhead(), Bounds.between(2, 100_000)),
        settings.integer(
            "generate.max-triggers-per-job", limits.maxTriggers(), Bounds.between(2, 100_000)),
        settings.duration(
            "generate.misfire-threshold",
            limits.misfireThreshold(),
            Bounds.between(Duration.ofSeconds(1), Duration.ofDays(1))));
  }

  private ServiceConfig service() {
    ServiceConfig defaults = ServiceConfig.DEFAULT;
    return new ServiceConfig(
        settings.duration("tracker.lease", defaults.trackerLease()),
        workers(defaults.workers()),
        preload(defaults.preload()),
        settings.duration("reconcile.period", defaults.reconcilePeriod()),
        settings.optional("priority.ageing", ValueTypes.DURATION).orElse(null),
        defaults.reports());
  }

  private ServiceConfig.Workers workers(ServiceConfig.Workers defaults) {
    return new ServiceConfig.Workers(
        settings.duration("worker.lease", defaults.lease()),
        settings.duration("pull.park-time", defaults.parkTime()),
        settings.duration("pull.claim-ahead", defaults.claimAhead()),
        settings.duration("worker.timeout-grace", defaults.timeoutGrace()));
  }

  private ServiceConfig.Preload preload(ServiceConfig.Preload defaults) {
    return new ServiceConfig.Preload(
        settings.duration("preload.period", defaults.period()),
        settings.duration("preload.look-ahead", defaults.lookAhead()),
        settings.integer(
            "preload.deque-capacity", defaults.dequeCapacity(), Bounds.between(16, 1_000_000)),
        settings.byteSize(
            "preload.deque-bytes", defaults.dequeBytes(), Bounds.between(1L << 20, 4L << 30)),
        settings.integer(
            "preload.ahead-capacity", defaults.aheadCapacity(), Bounds.between(16, 1_000_000)));
  }

  private RetentionConfig retention() {
    RetentionConfig defaults = RetentionConfig.DEFAULT;
    return new RetentionConfig(
        settings.duration("ledger.keep", defaults.ledgerKeep()),
        settings.longInteger(
            "ledger.max-rows",
            defaults.ledgerMaxRows(),
            Bounds.between(RetentionConfig.LEAST_LEDGER_ROWS, RetentionConfig.MOST_LEDGER_ROWS)),
        settings.duration("job-log.keep", defaults.jobLogKeep()),
        settings.duration("feedback.keep", defaults.feedbackKeep()),
        settings.duration("batch.keep", defaults.batchKeep()),
        settings.duration("audit.keep", defaults.auditKeep()),
        settings.duration("counts.keep", defaults.countsKeep()));
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be a zone of the tz database, such as Asia/Tokyo", e);
    }
  }
}
