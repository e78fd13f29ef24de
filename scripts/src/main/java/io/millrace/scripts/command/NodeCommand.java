package io.millrace.scripts.command;

import ch.qos.logback.classic.Level;

/** A command that runs nodes until it is told to stop, and so logs what they do. */
public interface NodeCommand {

  /** How much is logged unless a person asks for something else. */
  default Level logLevel() {
    return Level.INFO;
  }
}
