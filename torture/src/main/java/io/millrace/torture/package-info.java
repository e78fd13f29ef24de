/**
 * The torture run: a cluster of real processes on this machine under load, of which one part after
 * the other is killed, stopped, restarted or cut off, and in the end an oracle that asks whether
 * anything was lost, ran twice, ran early or got stuck. Nothing of it is published.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture;
