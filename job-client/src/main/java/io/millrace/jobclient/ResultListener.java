package io.millrace.jobclient;

import io.millrace.common.model.TriggerResult;

/** Hears what became of the triggers of jobs that were submitted with feedback. */
@FunctionalInterface
public interface ResultListener {

  /**
   * Takes one result. When it returns, the result counts as taken and the tracker forgets it. When
   * it throws, this result and those behind it are told again later, to any client of the group; so
   * a result may be seen twice, and must then be recognised by task id, planned instant and
   * ordinal.
   *
   * <p>Calls of one client come one after another, never two at a time.
   */
  void onResult(TriggerResult result) throws Exception;
}
