package io.millrace.jobtracker.pipeline;

/**
 * The highest number of items or bytes is waiting to be written; the caller should slow down and
 * retry.
 */
public final class PipelineFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param name the name of the pipeline
   * @param bound the bound that was reached, with its unit
   */
  public PipelineFullException(String name, String bound) {
    super(name + ": the limit of waiting items is reached, " + bound);
  }
}
