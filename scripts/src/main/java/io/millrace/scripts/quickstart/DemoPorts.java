package io.millrace.scripts.quickstart;

/**
 * The ports of the quickstart's tracker; 0 for any free port.
 *
 * @param rpc the port for nodes
 * @param console the port for operators
 */
public record DemoPorts(int rpc, int console) {}
