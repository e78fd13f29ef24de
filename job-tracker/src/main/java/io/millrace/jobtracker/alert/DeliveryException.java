package io.millrace.jobtracker.alert;

/** A receiver has not taken a message. Says why, and nothing that is secret. */
public final class DeliveryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean worthRepeating;

  /**
   * @param worthRepeating whether it may take the message later
   */
  public DeliveryException(String why, boolean worthRepeating) {
    super(why);
    this.worthRepeating = worthRepeating;
  }

  /** One that may pass. */
  public DeliveryException(String why) {
    this(why, true);
  }

  boolean isWorthRepeating() {
    return worthRepeating;
  }
}
