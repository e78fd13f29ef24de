package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.fixture.RecordingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectedNodesTest {
  private final List<Peer> gone = new ArrayList<>();
  private int clientsConnected;
  private final ConnectedNodes nodes = new ConnectedNodes(() -> clientsConnected++, gone::add);

  @Test
  void clientsAreKnownByTheirGroupOldestFirst() {
    Session first = connect(NodeRole.CLIENT, "shop");
    Session second = connect(NodeRole.CLIENT, "shop");
    connect(NodeRole.CLIENT, "office");
    connect(NodeRole.WORKER, "orders");

    assertThat(nodes.clientGroups()).containsExactly("office", "shop");
    assertThat(nodes.clients("shop")).containsExactly(first, second);
    assertThat(nodes.clients("orders")).as("workers are no clients").isEmpty();
    assertThat(clientsConnected).isEqualTo(3);
  }

  @Test
  void workersAreKnownByTheirNodeGroupWhileTheyAreConnected() {
    Session worker = connect(NodeRole.WORKER, "orders");
    connect(NodeRole.WORKER, "mails");
    connect(NodeRole.CLIENT, "orders");

    assertThat(nodes.workers("orders")).containsExactly("node");
    worker.close();
    assertThat(nodes.workers("orders")).isEmpty();
  }

  @Test
  void workersAreCountedByTheirNodeGroupWhileTheyAreConnected() {
    Session gone = connect(NodeRole.WORKER, "orders");
    connect(NodeRole.WORKER, "orders");
    connect(NodeRole.WORKER, "mails");
    connect(NodeRole.CLIENT, "shop");

    assertThat(nodes.workersByGroup()).isEqualTo(Map.of("orders", 2, "mails", 1));
    gone.close();
    assertThat(nodes.workersByGroup()).isEqualTo(Map.of("orders", 1, "mails", 1));
  }

  @Test
  void workerWhoseConnectionClosesIsForgottenAndReportedOnce() {
    Session worker = connect(NodeRole.WORKER, "orders");
    Session client = connect(NodeRole.CLIENT, "shop");

    worker.close();
    worker.close();
    client.close();

    assertThat(gone).containsExactly(worker.peer());
    assertThat(nodes.clientGroups()).isEmpty();
  }

  @Test
  void theEndOfAnOldConnectionLeavesTheNewOneOfTheSameNodeThere() {
    Session oldClient = connect(NodeRole.CLIENT, "shop");
    Session newClient = connect(NodeRole.CLIENT, "shop");
    Session oldWorker = connect(NodeRole.WORKER, "orders");
    connect(NodeRole.WORKER, "orders");

    oldClient.close();
    oldWorker.close();

    assertThat(nodes.clientGroups()).containsExactly("shop");
    assertThat(nodes.clients("shop")).containsExactly(newClient);
    assertThat(nodes.workers("orders")).containsExactly("node");
  }

  @Test
  void connectionThatIsClosedBeforeItIsNotedLeavesNothingBehind() {
    RecordingSession session = new RecordingSession(peer(NodeRole.WORKER, "orders"));
    session.close();

    nodes.connected(session);

    assertThat(nodes.workers("orders")).isEmpty();
    assertThat(gone).containsExactly(session.peer());
  }

  @Test
  void thousandsOfNodesThatComeAndGoLeaveNothingBehind() {
    for (int i = 0; i < 5_000; i++) {
      connect(NodeRole.CLIENT, "group-" + i).close();
    }

    assertThat(nodes.clientGroups()).isEmpty();
  }

  private Session connect(NodeRole role, String group) {
    RecordingSession session = new RecordingSession(peer(role, group));
    nodes.connected(session);
    return session;
  }

  private static Peer peer(NodeRole role, String group) {
    return new Peer(role, "node", group, "local");
  }
}
