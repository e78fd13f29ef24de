package io.millrace.internal.rpc.connection;

/** The other end violated the protocol, so that the connection must be closed. */
final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolViolationException(String message) {
    super(message, null, false, false);
  }
}
