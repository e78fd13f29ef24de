package io.millrace.scripts.command;

import ch.qos.logback.classic.Level;

/** A command that runs nodes until it is stopped, and therefore logs. */
public interface NodeCommand {

  /** Returns the default log level, which the user can override. */
  default Level logLevel() {
    return Level.INFO;
  }
}
