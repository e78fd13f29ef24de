package io.millrace.jobtracker.pipeline;

/** As much waits to be written as may wait; the caller should slow down and try again. */
public final class PipelineFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PipelineFullException(String name, int bound) {
    super(name + ": " + bound + " writes are waiting already");
  }
}
