package io.millrace.scripts.quickstart;

/**
 * Where the quickstart's tracker listens; 0 for any port that is free.
 *
 * @param rpc for nodes
 * @param console for those who operate it
 */
public record DemoPorts(int rpc, int console) {}
