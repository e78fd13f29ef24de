package io.millrace.jobclient;

import io.millrace.common.model.TriggerResult;

/** Receives the results of triggers of jobs that were submitted with feedback. */
@FunctionalInterface
public interface ResultListener {

  /**
   * Takes one result. When it returns, the result counts as taken and the tracker forgets it. When
   * it throws, this result and those behind it are sent again later, to any client of the group; so
   * a result may come twice; its task id, planned instant and ordinal show that.
   *
   * <p>Calls of one client come one after another, never two at a time.
   */
  void onResult(TriggerResult result) throws Exception;
}
