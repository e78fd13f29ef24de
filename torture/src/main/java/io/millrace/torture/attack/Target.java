package io.millrace.torture.attack;

/**
 * The tracker under attack.
 *
 * @param rpcPort the port for nodes, on this machine
 * @param httpPort the port for operators, on this machine
 */
record Target(int rpcPort, int httpPort) {
  static final String HOST = "127.0.0.1";
  static final String CLIENT_TOKEN = "client-token-0123456789abcdef";
  static final String WORKER_TOKEN = "worker-token-0123456789abcdef";
}
