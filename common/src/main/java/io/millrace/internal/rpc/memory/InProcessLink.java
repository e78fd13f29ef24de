package io.millrace.internal.rpc.memory;

import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

/** One connection of an {@link InProcessNetwork}: its two ends, and the delivery between them. */
final class InProcessLink {
  private final InProcessNetwork network;
  private final InProcessConnector opener;
  private final InProcessEnd caller;
  private final InProcessEnd tracker;

  InProcessLink(
      InProcessNetwork network, InProcessConnector opener, String nodeId, String address) {
    this.network = network;
    this.opener = opener;
    this.caller = new InProcessEnd(network, this, nodeId, address);
    this.tracker = new InProcessEnd(network, this, address, nodeId);
  }

  /** Starts each end on its own executor, the tracker's end first. */
  void open(Consumer<InProcessEnd> trackerBegins, Consumer<InProcessEnd> callerBegins) {
    tracker.executor().execute(() -> trackerBegins.accept(tracker));
    caller.executor().execute(() -> callerBegins.accept(caller));
  }

  /** Delivers a frame from one end to the other, as the network's policy decides. */
  void carry(InProcessEnd from, Frame frame) {
    InProcessEnd to = other(from);
    ByteBuffer bytes = FrameCodec.encode(frame);
    SimulatedDelivery delivery = network.decide(from.name(), to.name(), frame);
    switch (delivery.fate()) {
      case IN_ORDER -> to.takeInOrder(delivery.delay(), () -> to.arrive(bytes));
      case OVERTAKING -> network.schedule(delivery.delay(), to.executor(), () -> to.arrive(bytes));
      case CUT -> cut("cut by the network");
      case DROPPED -> {}
    }
  }

  /** Closes one end now, and the other end after all frames sent to it in order have arrived. */
  void close(InProcessEnd from) {
    network.forget(this);
    from.end("closed by this node");
    InProcessEnd to = other(from);
    to.takeInOrder(Duration.ZERO, () -> to.end("closed by the other node"));
  }

  /** Closes both ends now; frames under way are lost. */
  void cut(String reason) {
    network.forget(this);
    caller.end(reason);
    tracker.end(reason);
  }

  boolean joins(String name) {
    return caller.name().equals(name) || tracker.name().equals(name);
  }

  boolean isOpenedBy(InProcessConnector connector) {
    return opener == connector;
  }

  private InProcessEnd other(InProcessEnd end) {
    return end == caller ? tracker : caller;
  }
}
