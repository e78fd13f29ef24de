package io.millrace.spring.internal.config;

import io.millrace.jobclient.JobRelay;

/** Changes the builder of the relay. */
@FunctionalInterface
public interface RelayCustomizer {

  /** Changes the builder. */
  void customize(JobRelay.Builder builder);
}
