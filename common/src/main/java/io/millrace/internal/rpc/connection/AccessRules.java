package io.millrace.internal.rpc.connection;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.RequestType;

/** Which role may send which requests. */
final class AccessRules {

  private AccessRules() {}

  /** Whether a peer of this role may send a request of this type once the handshake is over. */
  static boolean allows(NodeRole role, RequestType type) {
    return switch (type) {
      case HELLO, AUTHENTICATE -> false;
      case PING -> true;
      case SUBMIT,
          CANCEL,
          PAUSE,
          RESUME,
          RUN_NOW,
          EXPLAIN,
          TERMINATE,
          HEALTH,
          STATUS,
          LIST,
          OUTCOME,
          DECLARE ->
          role == NodeRole.CLIENT;
      case PULL, COMPLETE, LOG, KEEP, KEPT, STAGE, PARTS -> role == NodeRole.WORKER;
      case FEEDBACK, HINT, HAND_OVER -> role == NodeRole.TRACKER;
    };
  }
}
