/**
 * Faults that are built into a tracker on purpose, so that the oracle can be seen to find them.
 * They wrap what a tracker stands on and change nothing in the tracker itself.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.plant;
