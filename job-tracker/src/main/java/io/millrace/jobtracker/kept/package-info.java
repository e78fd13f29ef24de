/** Stores the steps and checkpoints of executions, and answers what earlier attempts kept. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.kept;
