package io.millrace.console.api.job;

import io.millrace.common.model.OverlapPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a trigger that is to run while another one of the job runs.
 *
 * @param kind what is done with it
 * @param limit how many may wait for their turn; goes with QUEUE, which needs it
 */
public record OverlapRule(OverlapPolicy.Kind kind, @Nullable Integer limit) {

  static OverlapRule of(OverlapPolicy policy) {
    boolean queue = policy.kind() == OverlapPolicy.Kind.QUEUE;
    return new OverlapRule(policy.kind(), queue ? (Integer) policy.limit() : null);
  }

  OverlapPolicy toPolicy() {
    return new OverlapPolicy(kind, limit == null ? 0 : limit);
  }
}
