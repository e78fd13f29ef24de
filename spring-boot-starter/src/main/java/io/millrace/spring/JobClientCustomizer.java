package io.millrace.spring;

import io.millrace.jobclient.JobClientBuilder;

/**
 * Beans of this type change the builder of the application's {@code JobClient}, after the
 * properties, in their order.
 */
@FunctionalInterface
public interface JobClientCustomizer {

  /** Changes the builder. */
  void customize(JobClientBuilder builder);
}
