package io.millrace.torture.attack;

/**
 * What is attacked.
 *
 * @param rpcPort where its nodes connect, on this machine
 * @param httpPort where its operators connect, on this machine
 */
record Target(int rpcPort, int httpPort) {
  static final String HOST = "127.0.0.1";
  static final String CLIENT_TOKEN = "client-token-0123456789abcdef";
  static final String WORKER_TOKEN = "worker-token-0123456789abcdef";
}
