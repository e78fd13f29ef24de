/**
 * Attacks on a tracker by peers that send, read or withhold what they like, and an honest worker
 * and client beside them that must not notice. Attackers run in a process of their own, at bounded
 * rates: what is tried is what they make the tracker hold and write, not who gets the processor.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.attack;
