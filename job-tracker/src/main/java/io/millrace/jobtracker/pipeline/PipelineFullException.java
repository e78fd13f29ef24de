package io.millrace.jobtracker.pipeline;

/** As much waits to be written as may wait; the caller should slow down and try again. */
public final class PipelineFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param name of the pipeline
   * @param bound what may wait, with its unit
   */
  public PipelineFullException(String name, String bound) {
    super(name + ": as much is waiting as may wait, " + bound);
  }
}
