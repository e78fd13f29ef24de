/** The workers of a node group, as their pulls show them. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.worker;
