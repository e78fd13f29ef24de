package io.millrace.console.api.job;

import io.millrace.jobtracker.domain.job.Pause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pause of a job: who paused it, when, and why. */
public record JobPause(String by, Instant at, @Nullable String reason) {

  static @Nullable JobPause of(@Nullable Pause pause) {
    return pause == null
        ? null
        : new JobPause(pause.by(), Instant.ofEpochMilli(pause.at()), pause.reason());
  }
}
