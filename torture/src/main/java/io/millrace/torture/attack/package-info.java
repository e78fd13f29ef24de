/**
 * Attacks on a tracker by peers that send, read or withhold data at will, beside an honest worker
 * and client that must not be affected. The attackers run in a separate process at bounded rates:
 * the attacks test what the tracker has to hold and write, not the competition for processors.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.attack;
