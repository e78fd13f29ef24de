package io.millrace.torture.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.rpc.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TcpProxyTest {
  private static final int PATIENCE_MILLIS = 10_000;

  private final EchoServer echo = echo();
  private final TcpProxy proxy = proxyBefore(echo.port());

  private static EchoServer echo() {
    try {
      return new EchoServer();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    proxy.close();
    echo.close();
  }

  private static TcpProxy proxyBefore(int port) {
    return TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", port));
  }

  private Socket connect() throws IOException {
    return connect(proxy);
  }

  private static Socket connect(TcpProxy proxy) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.address().port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static void say(Socket socket, int what) throws IOException {
    socket.getOutputStream().write(what);
  }

  private static int hear(Socket socket) throws IOException {
    return socket.getInputStream().read();
  }

  /** The answer, or what is read of a connection that was closed in whatever way. */
  private static int hearOrEnd(Socket socket) {
    try {
      return hear(socket);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection is open", e);
    } catch (IOException closed) {
      return -1;
    }
  }

  private static void assertDark(Socket socket) throws IOException {
    socket.setSoTimeout(100);
    assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> hear(socket));
    socket.setSoTimeout(0);
  }

  @Test
  void passesBytesBothWays() throws IOException {
    try (Socket caller = connect()) {
      say(caller, 7);

      assertThat(hear(caller)).isEqualTo(7);
      assertThat(proxy.connections()).isOne();
    }
    await().until(() -> proxy.connections() == 0);
  }

  @Test
  void passesOnThatTheCallerHasClosed() throws IOException {
    try (Socket caller = connect()) {
      say(caller, 7);
      caller.shutdownOutput();

      assertThat(hear(caller)).isEqualTo(7);
      assertThat(hear(caller)).isEqualTo(-1);
    }
  }

  @Test
  void aCutClosesWhatIsOpenAndRefusesWhatIsNewUntilItIsRestored() throws IOException {
    try (Socket before = connect()) {
      say(before, 7);
      assertThat(hear(before)).isEqualTo(7);

      proxy.cut();

      assertThat(hearOrEnd(before)).isEqualTo(-1);
      assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
    }

    proxy.restore();
    try (Socket after = connect()) {
      say(after, 8);
      assertThat(hear(after)).isEqualTo(8);
    }
  }

  @Test
  void aBlackHoleSwallowsBothWaysAndKeepsConnectionsOpen() throws IOException {
    try (Socket caller = connect()) {
      say(caller, 7);
      assertThat(hear(caller)).isEqualTo(7);

      proxy.blackHole();
      say(caller, 8);

      assertDark(caller);
      assertThat(echo.received()).isOne();
      assertThat(proxy.connections()).isOne();
    }
  }

  @Test
  void whoseBytesWereSwallowedIsNotHeardAgain() throws IOException {
    try (Socket torn = connect();
        Socket silent = connect()) {
      say(torn, 7);
      assertThat(hear(torn)).isEqualTo(7);
      say(silent, 7);
      assertThat(hear(silent)).isEqualTo(7);
      proxy.blackHole();
      say(torn, 8);
      assertDark(torn);

      proxy.restore();

      assertThat(hearOrEnd(torn)).isEqualTo(-1);
      say(silent, 9);
      assertThat(hear(silent)).as("nothing of it was lost").isEqualTo(9);
    }
  }

  @Test
  void anAnswerAloneCanBeSwallowed() throws IOException {
    try (Socket caller = connect()) {
      proxy.blackHole(Direction.FROM_TARGET);
      say(caller, 7);

      await().until(() -> echo.received() == 1);
      assertDark(caller);
    }
  }

  @Test
  void whatIsHeldArrivesLate() throws IOException {
    try (Socket caller = connect()) {
      proxy.hold(Direction.TO_TARGET);
      say(caller, 7);
      assertDark(caller);
      assertThat(echo.received()).isZero();

      proxy.restore();

      assertThat(hear(caller)).isEqualTo(7);
    }
  }

  @Test
  void inTheDarkNobodyHearsThatTheOtherEndHasClosed() throws IOException {
    try (Socket caller = connect()) {
      say(caller, 7);
      assertThat(hear(caller)).isEqualTo(7);
      proxy.blackHole();
      caller.close();

      assertThat(proxy.connections()).isOne();

      proxy.restore();
      await().until(() -> proxy.connections() == 0);
    }
  }

  @Test
  void aSlowWireTakesItsTime() throws IOException {
    Duration delay = Duration.ofMillis(50);
    proxy.delay(delay);
    try (Socket caller = connect()) {
      long before = System.nanoTime();
      say(caller, 7);

      assertThat(hear(caller)).isEqualTo(7);
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThanOrEqualTo(delay.multipliedBy(2));
    }
  }

  @Test
  void aCallerIsTurnedAwayWhereNobodyListensBehind() throws IOException {
    try (Socket bound = boundPort();
        TcpProxy before = proxyBefore(bound.getLocalPort());
        Socket caller = connect(before)) {
      assertThat(hearOrEnd(caller)).isEqualTo(-1);
      assertThat(before.connections()).isZero();
    }
  }

  /** A port that is taken, and that refuses callers, since no program listens at it. */
  private static Socket boundPort() throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return socket;
  }
}
