package io.millrace.jobclient;

import io.millrace.api.TriggerResult;

/** Receives the results of triggers of jobs that were submitted with feedback. */
@FunctionalInterface
public interface ResultListener {

  /**
   * Receives one result. When this method returns, the client acknowledges the result, and the
   * tracker forgets it. When it throws, the tracker sends this result and those behind it again
   * later, to any client of the group. A result may therefore arrive twice; its task id, planned
   * instant and ordinal identify it.
   *
   * <p>A client calls its listener for one result at a time.
   */
  void onResult(TriggerResult result) throws Exception;
}
