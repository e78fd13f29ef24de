package io.millrace.common.rpc;

import io.millrace.common.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker demands of its callers. A role without a token is let in without proof, which only
 * a tracker on a loopback address may do.
 *
 * @param client token of the clients
 * @param worker token of the workers
 */
public record RoleTokens(@Nullable Token client, @Nullable Token worker) {

  /** Lets everybody in. */
  public static final RoleTokens NONE = new RoleTokens(null, null);

  /** Whether no role is let in without proof. */
  public boolean areComplete() {
    return client != null && worker != null;
  }

  @Nullable Token of(NodeRole role) {
    return switch (role) {
      case CLIENT -> client;
      case WORKER -> worker;
      case TRACKER, UNKNOWN -> null;
    };
  }
}
