package io.millrace.tasktracker.internal.keep;

import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What earlier attempts of a run have kept, as a tracker told it. Immutable. */
final class KeptValues {
  private final String runKey;
  private final Map<String, KeptReply.Value> steps = new HashMap<>();
  private final @Nullable String checkpoint;

  KeptValues(KeptReply reply) {
    this.runKey = String.valueOf(reply.runKey());
    String last = null;
    for (KeptReply.Value value : reply.values()) {
      if (value.kind() == KeptKind.CHECKPOINT) {
        last = value.value();
      } else if (value.name() != null) {
        steps.put(value.name(), value);
      }
    }
    this.checkpoint = last;
  }

  String runKey() {
    return runKey;
  }

  KeptReply.@Nullable Value step(String name) {
    return steps.get(name);
  }

  int steps() {
    return steps.size();
  }

  @Nullable String checkpoint() {
    return checkpoint;
  }

  boolean isEmpty() {
    return steps.isEmpty() && checkpoint == null;
  }
}
