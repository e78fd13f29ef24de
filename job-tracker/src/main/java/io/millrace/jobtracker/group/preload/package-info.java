/**
 * Fills the head of a node group's waiting queue from its table: what is due goes into the priority
 * deque, what falls due soon onto the wheel. Costs what it loads, not what waits.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.preload;
