package io.millrace.jobtracker.domain.trigger;

/**
 * No id can be issued now: another tracker may hold the tracker's number. The condition ends when
 * the lease of the number is renewed.
 */
public final class LapsedNumberException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LapsedNumberException(int tracker) {
    super(
        "tracker number "
            + tracker
            + " was not renewed in time; no id is issued under it until it is renewed");
  }
}
