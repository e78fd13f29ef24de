package io.millrace.spring;

import io.millrace.tasktracker.TaskTrackerBuilder;

/**
 * Beans of this type change the builder of the application's {@code TaskTracker}, after the
 * properties and before the handlers are added, in their order.
 */
@FunctionalInterface
public interface TaskTrackerCustomizer {

  /** Changes the builder. */
  void customize(TaskTrackerBuilder builder);
}
