package io.millrace.scripts.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class DemoPortTest {
  private final StringWriter out = new StringWriter();

  @Test
  void takenPortIsReplacedByAnyAndThatIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int chosen = DemoPort.choose(taken.getLocalPort(), new PrintWriter(out, true));

      assertThat(chosen).isZero();
      assertThat(out.toString()).contains("port " + taken.getLocalPort() + " is in use");
    }
  }

  @Test
  void freePortIsTaken() throws IOException {
    int free;
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = probe.getLocalPort();
    }

    assertThat(DemoPort.choose(free, new PrintWriter(out, true))).isEqualTo(free);
    assertThat(out.toString()).isEmpty();
  }
}
