package io.millrace.internal.rpc;

import io.millrace.internal.model.NodeRole;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that a tracker requires from its callers. A role without a token is admitted without
 * proof; only a tracker on a loopback address may do so. Trackers are admitted only with a token of
 * their own.
 *
 * @param client token of the clients; null admits them without proof
 * @param worker token of the workers; null admits them without proof
 * @param tracker secret that the trackers of one store share; null admits no tracker
 */
public record RoleTokens(@Nullable Token client, @Nullable Token worker, @Nullable Token tracker) {

  /** Admits every client and worker, and no tracker. */
  public static final RoleTokens NONE = new RoleTokens(null, null);

  /** Admits no tracker. */
  public RoleTokens(@Nullable Token client, @Nullable Token worker) {
    this(client, worker, null);
  }

  /** The same, and trackers with this secret. */
  public RoleTokens withTracker(Token secret) {
    return new RoleTokens(client, worker, secret);
  }

  /** Whether both clients and workers must prove a token. */
  public boolean areComplete() {
    return client != null && worker != null;
  }

  /** Whether nodes of this role are admitted at all. */
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
