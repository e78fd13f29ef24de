package io.millrace.common.rpc;

import io.millrace.common.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker demands of its callers. Clients and workers without a token are let in without
 * proof, which only a tracker on a loopback address may do. Trackers are let in with the secret of
 * their own, or not at all.
 *
 * @param client token of the clients
 * @param worker token of the workers
 * @param tracker secret that the trackers of one store share
 */
public record RoleTokens(@Nullable Token client, @Nullable Token worker, @Nullable Token tracker) {

  /** Lets every client and worker in, and no tracker. */
  public static final RoleTokens NONE = new RoleTokens(null, null);

  /** Lets no tracker in. */
  public RoleTokens(@Nullable Token client, @Nullable Token worker) {
    this(client, worker, null);
  }

  /** The same, and trackers with this secret. */
  public RoleTokens withTracker(Token secret) {
    return new RoleTokens(client, worker, secret);
  }

  /** Whether no role is let in without proof. */
  public boolean areComplete() {
    return client != null && worker != null;
  }

  /** Whether nodes of this role are let in at all. */
  public boolean admit(NodeRole role) {
    return role != NodeRole.UNKNOWN && (role != NodeRole.TRACKER || tracker != null);
  }

  public @Nullable Token of(NodeRole role) {
    return switch (role) {
      case CLIENT -> client;
      case WORKER -> worker;
      case TRACKER -> tracker;
      case UNKNOWN -> null;
    };
  }
}
