package io.millrace.console.access.oidc;

/** A person was not signed in. */
public final class SignInFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why; the page has words for each. */
  public enum Reason {
    /** The provider did not sign the person in, or the person did not want to. */
    DENIED,
    /** The sign-in was not begun in this browser, or too long ago. */
    STALE,
    /** The provider's answer is not valid. */
    INVALID,
    /** The provider did not answer. */
    UNAVAILABLE,
    /** Too many people sign in at this moment. */
    BUSY,
    /** No rule gives the person a role. */
    NO_ROLE,
    /** The rules together name more node groups than can be stored. */
    TOO_MANY_GROUPS,
    /** An administrator has revoked the person. */
    REVOKED
  }

  SignInFailure(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  SignInFailure(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
