package io.millrace.console.api.job;

import io.millrace.api.OverlapPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How a trigger is handled that becomes due while another trigger of its job runs.
 *
 * @param kind how the trigger is handled
 * @param limit the most triggers that may wait for their turn; required by QUEUE, and only for it
 */
public record OverlapRule(OverlapPolicy.Kind kind, @Nullable Integer limit) {

  public static OverlapRule of(OverlapPolicy policy) {
    boolean queue = policy.kind() == OverlapPolicy.Kind.QUEUE;
    return new OverlapRule(policy.kind(), queue ? (Integer) policy.limit() : null);
  }

  OverlapPolicy toPolicy() {
    return new OverlapPolicy(kind, limit == null ? 0 : limit);
  }
}
