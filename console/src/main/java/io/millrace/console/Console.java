package io.millrace.console;

import io.millrace.console.access.TokenUses;
import io.millrace.console.api.bulk.BulkChanges;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.server.ApiServer;
import io.millrace.console.web.WebFiles;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.codec.UnknownNames;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.store.failure.StoreException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tracker's console: the HTTP server for operators. Thread-safe. */
public final class Console implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);

  private final ApiServer server;
  private final TokenUses uses;
  private final RepeatedTimer writeUses;
  private final BulkChanges bulkChanges;
  private final String url;
  private final @Nullable String firstToken;

  private Console(
      ApiServer server,
      TokenUses uses,
      BulkChanges bulkChanges,
      TimedExecutor time,
      String url,
      @Nullable String firstToken) {
    this.server = server;
    this.uses = uses;
    this.bulkChanges = bulkChanges;
    this.writeUses =
        new RepeatedTimer(
            "last uses of tokens",
            time.timer(),
            time.executor(),
            time.clock(),
            Pace.exactly(TokenUses.PERIOD),
            new SplittableRandom(),
            now -> {
              uses.write();
              return null;
            });
    this.url = url;
    this.firstToken = firstToken;
  }

  /**
   * Listens for operators. Issues the first token of a store in which none was ever issued.
   *
   * @throws IllegalStateException if it cannot listen, or if a file of the pages is missing
   */
  public static Console open(ConsoleConfig config, TrackerOperations tracker) {
    OperatorAccess access = OperatorAccess.of(config, tracker);
    BulkChanges bulkChanges = new BulkChanges(tracker, access.changes());
    ConsoleConfig.Tls tls = config.tls();
    ApiServer.Listening listening =
        new ApiServer.Listening(
            config.host(),
            config.port(),
            ConsoleConfig.THREADS,
            tls == null ? null : tls.certificate(),
            tls == null ? null : tls.key(),
            new HostRules(config.isLoopback(), config.hosts()),
            config.limits());
    ApiServer server =
        new ApiServer(
            listening,
            ConsoleRoutes.of(config, tracker, access, bulkChanges),
            WebFiles.ofClassPath(),
            access.authenticator(),
            new JsonCodec(UnknownNames.REFUSED),
            tracker.time().clock(),
            new ConsoleMeters(tracker.meters()));
    try {
      int port = server.start();
      Optional<String> token = access.tokens().issueFirst();
      if (tls == null && !config.isLoopback()) {
        LOG.warn(
            "console: listens at {} without TLS: tokens are sent unencrypted over the network",
            config.host());
      }
      String url = (tls == null ? "http://" : "https://") + inUrl(config.host()) + ":" + port;
      LOG.info("console: listens at {}", url);
      Console console =
          new Console(server, access.uses(), bulkChanges, tracker.time(), url, token.orElse(null));
      console.writeUses.start();
      bulkChanges.start();
      return console;
    } catch (RuntimeException e) {
      server.close();
      bulkChanges.close();
      throw e;
    }
  }

  private static String inUrl(String host) {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /** The URL of the console, for a browser. */
  public String url() {
    return url;
  }

  /** The first token of the store, if this console issued it. */
  public Optional<String> firstToken() {
    return Optional.ofNullable(firstToken);
  }

  /** Stops serving and making bulk changes, then writes the last uses of tokens. */
  @Override
  public void close() {
    server.close();
    bulkChanges.close();
    Void unused = writeUses.destroy().join();
    try {
      uses.write();
    } catch (StoreException e) {
      LOG.warn("console: the last uses of tokens could not be written", e);
    }
  }
}
