package io.millrace.console.alert.monitor;

/** A receiver has not accepted a message. The text says why, and contains no secret. */
public final class DeliveryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean worthRepeating;

  /**
   * @param worthRepeating whether the receiver may accept the message later
   */
  public DeliveryException(String why, boolean worthRepeating) {
    super(why);
    this.worthRepeating = worthRepeating;
  }

  /** A failure that may be temporary. */
  public DeliveryException(String why) {
    this(why, true);
  }

  boolean isWorthRepeating() {
    return worthRepeating;
  }
}
