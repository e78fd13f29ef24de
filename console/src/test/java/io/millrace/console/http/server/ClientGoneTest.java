package io.millrace.console.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A handler that takes long learns that its client has closed the connection. */
class ClientGoneTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private record Nothing() {}

  private static final Authenticator ANYBODY =
      new Authenticator() {
        @Override
        public Caller admit(Credentials credentials, boolean change, Role needed) {
          return new Caller("ann", Rights.of(needed), credentials.address());
        }

        @Override
        public Outcome asked(
            Caller caller, String operation, String target, @Nullable String detail) {
          return (status, why) -> {};
        }
      };

  @Test
  void handlerLearnsThatItsClientHasClosedTheConnection() throws Exception {
    CompletableFuture<Boolean> began = new CompletableFuture<>();
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    Route route =
        Resource.of("Counts", "/count")
            .get("", "count", "Counts until its client has gone")
            .within(Scope.none("it counts nothing"))
            .answers(
                Nothing.class,
                call -> {
                  boolean unused = began.complete(call.isClientGone());
                  await().atMost(PATIENCE).until(call::isClientGone);
                  return gone.complete(true) ? new Nothing() : null;
                });
    try (ApiServer server = serving(route);
        Socket client = new Socket("127.0.0.1", server.start())) {
      client
          .getOutputStream()
          .write(
              "GET /count HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(began.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isFalse();

      client.close();

      assertThat(gone.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private static ApiServer serving(Route route) {
    return new ApiServer(
        new ApiServer.Listening(
            "127.0.0.1", 0, 1, null, null, new HostRules(true, List.of()), HttpLimits.DEFAULT),
        List.of(route),
        List.of(),
        ANYBODY,
        new JsonCodec(),
        new SystemClock(),
        reason -> {});
  }
}
