package io.millrace.common.rpc.connection;

/** The other end broke the protocol in a way that leaves nothing but closing the connection. */
final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolViolationException(String message) {
    super(message, null, false, false);
  }
}
