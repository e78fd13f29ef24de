/**
 * The torture run: a cluster of real processes on this machine under load, whose parts are killed,
 * stopped, restarted or cut off one after the other, and finally an oracle that checks whether
 * anything was lost, ran twice, ran early or got stuck. It is not published.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture;
