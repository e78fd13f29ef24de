package io.millrace.torture.process;

import io.millrace.torture.network.TcpProxy;
import org.jspecify.annotations.Nullable;

/**
 * A tracker and its wires.
 *
 * @param process the tracker itself
 * @param door what nodes and other trackers reach it through
 * @param database what it reaches the database through; null if that is embedded
 */
public record TrackerNode(Node process, TcpProxy door, @Nullable TcpProxy database) {}
