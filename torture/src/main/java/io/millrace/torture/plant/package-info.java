/**
 * Faults that are deliberately built into a tracker to verify that the oracle finds them. They wrap
 * the dependencies of a tracker and do not change the tracker itself.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.plant;
