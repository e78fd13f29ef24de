package io.millrace.console.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Refusals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private static final HttpLimits LIMITS =
      new HttpLimits(
          4,
          2,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1));

  private final List<Refusals.Reason> refused = new ArrayList<>();
  private final Connections connections = new Connections(LIMITS, refused::add);
  private final List<TestLine> lines = new ArrayList<>();
  private int port = 1_000;

  private static final class TestLine implements Connection.Line {
    private boolean closed;

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public long unsentBytes() {
      return 100;
    }
  }

  private Optional<Connection> accept(String address, long now) throws UnknownHostException {
    TestLine line = new TestLine();
    lines.add(line);
    return connections.accept(
        new InetSocketAddress(InetAddress.getByName(address), port++), line, now);
  }

  private Connection accepted(String address, long now) throws UnknownHostException {
    return accept(address, now).orElseThrow();
  }

  private List<Boolean> closed() {
    return lines.stream().map(line -> line.closed).toList();
  }

  /** Under way with a good token: nothing makes it give up its place. */
  private void busy(Connection connection, long now) {
    connections.received(connection, 0, now);
    connections.known(connection);
    connections.answering(connection, now);
  }

  @Test
  void aNewcomerTakesThePlaceOfTheLongestIdleStranger() throws Exception {
    Connection known = accepted("127.0.0.1", 0);
    connections.received(known, 0, 1);
    connections.known(known);
    connections.sent(known, connections.sending(known, 10, 1), 1);
    Connection longest = accepted("127.0.0.1", 2);
    Connection later = accepted("127.0.0.1", 3);
    busy(accepted("127.0.0.1", 4), 4);

    Connection newcomer = accepted("127.0.0.1", 5);

    assertThat(newcomer.keptForHealth).isFalse();
    assertThat(closed()).containsExactly(false, true, false, false, false);
    assertThat(connections.size()).isEqualTo(4);
    assertThat(refused).containsExactly(Refusals.Reason.CONNECTION);
    connections.gone(longest);
    assertThat(connections.find(later.address, 1_002)).isSameAs(later);
  }

  @Test
  void fewMoreAreTakenForHealthWhenAllAreBusyAndThenNone() throws Exception {
    for (int i = 0; i < 4; i++) {
      busy(accepted("127.0.0.1", i), i);
    }
    List<Connection> more = new ArrayList<>();
    for (int i = 0; i < HttpLimits.KEPT_FOR_HEALTH; i++) {
      Connection connection = accepted("127.0.0.1", 10);
      assertThat(connection.keptForHealth).isTrue();
      busy(connection, 10);
      more.add(connection);
    }

    assertThat(accept("127.0.0.1", 11)).isEmpty();

    connections.gone(more.get(0));
    assertThat(accepted("127.0.0.1", 12).keptForHealth).isTrue();
  }

  @Test
  void anAddressHasItsShareAndThisMachineHasNone() throws Exception {
    accepted("192.0.2.1", 0);
    accepted("192.0.2.1", 1);
    accepted("192.0.2.1", 2);
    accepted("192.0.2.2", 3);

    assertThat(closed()).containsExactly(true, false, false, false);
    busy(accepted("192.0.2.3", 4), 4);
    busy(accepted("192.0.2.3", 5), 5);
    assertThat(accept("192.0.2.3", 6)).as("both are busy").isEmpty();
    assertThat(accept("127.0.0.1", 7)).isPresent();
    assertThat(accept("127.0.0.1", 8)).isPresent();
    assertThat(accept("127.0.0.1", 9)).isPresent();
  }

  @Test
  void whatIsLateIsClosedByPhase() throws Exception {
    Connection silent = accepted("127.0.0.1", 0);
    Connection stranger = accepted("127.0.0.1", 0);
    connections.received(stranger, 0, 0);
    connections.sent(stranger, connections.sending(stranger, 10, 0), 0);
    Connection large = accepted("127.0.0.1", 0);
    connections.received(large, HttpLimits.BYTES_PER_SECOND * 5, 0);
    busy(accepted("127.0.0.1", 0), 0);

    connections.closeOverdue(5_000);
    assertThat(closed()).containsOnly(false);
    connections.closeOverdue(5_001);
    assertThat(closed()).containsExactly(false, true, false, false);
    connections.closeOverdue(10_001);
    assertThat(closed()).containsExactly(true, true, false, false);
    connections.closeOverdue(15_001);
    assertThat(closed()).containsExactly(true, true, true, false);
    assertThat(refused).containsExactly(Refusals.Reason.SLOW, Refusals.Reason.SLOW);
    assertThat(connections.find(silent.address, 1_000)).isNull();
    assertThat(connections.unsentBytes()).isEqualTo(100);
  }

  @Test
  void anAnswerThatLeavesLateDoesNotEndTheNextRequest() throws Exception {
    Connection connection = accepted("127.0.0.1", 0);
    connections.received(connection, 0, 0);
    long first = connections.sending(connection, 10, 0);
    connections.received(connection, 0, 1);

    connections.sent(connection, first, 2);

    assertThat(connection.phase).isEqualTo(Connection.Phase.RECEIVING);
  }
}
