package io.millrace.internal.rpc.memory;

import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.RequestType;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way through an {@link InProcessNetwork}.
 *
 * @param from a caller's node id, or a tracker's address
 * @param to a caller's node id, or a tracker's address
 * @param kind request, reply or error
 * @param type the type of the request, or of the request it answers; null if this version does not
 *     know it
 */
public record SimulatedFrame(String from, String to, FrameKind kind, @Nullable RequestType type) {

  /** Whether the message belongs to the handshake of a connection. */
  public boolean isHandshake() {
    return type == RequestType.HELLO || type == RequestType.AUTHENTICATE;
  }
}
