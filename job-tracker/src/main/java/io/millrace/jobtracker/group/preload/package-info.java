/**
 * Fills the head of a node group's waiting queue from its table: due triggers go into the priority
 * deque, triggers that fall due soon onto the wheel. The cost depends on the rows loaded, not on
 * the rows that wait.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.preload;
