package io.millrace.scripts.api;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Explains why no response arrived. */
final class Silence {
  private Silence() {}

  /**
   * Returns the explanation, in one line.
   *
   * @param change whether the request was to change something
   */
  static String because(ApiUrl url, IOException e, Duration patience, boolean change) {
    if (e instanceof HttpConnectTimeoutException) {
      return "no tracker answers at "
          + url
          + ": no connection within "
          + patience.toMillis()
          + " ms";
    }
    if (e instanceof HttpTimeoutException) {
      return url + " did not answer within " + patience.toMillis() + " ms" + doubt(change);
    }
    if (e instanceof ConnectException) {
      return "no tracker answers at " + url + ": " + refusal(e);
    }
    return "no answer from " + url + ": " + said(e) + doubt(change);
  }

  private static String doubt(boolean change) {
    return change ? "; the operation may have been performed nevertheless" : "";
  }

  private static String refusal(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "unknown host";
      }
    }
    return e.getMessage() == null ? "connection refused" : e.getMessage();
  }

  private static String said(Throwable e) {
    @Nullable String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
