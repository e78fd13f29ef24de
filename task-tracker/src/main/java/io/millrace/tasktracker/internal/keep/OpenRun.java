package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;

/** What an invocation that has not ended asks of the trackers. */
interface OpenRun {

  /** Ends every wait, now and later. */
  void end(KeepException why);
}
