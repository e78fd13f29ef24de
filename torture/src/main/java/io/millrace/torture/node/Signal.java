package io.millrace.torture.node;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The signals that a process can receive. */
public enum Signal {
  STOP,
  CONT,
  TERM;

  /** Sends the signal to a process that the run has started. */
  public void send(ProcessHandle process) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name(), String.valueOf(process.pid()))
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0 && process.isAlive()) {
        throw new IllegalStateException(
            "process %d could not be sent %s".formatted(process.pid(), this));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it sent " + this, e);
    }
  }
}
