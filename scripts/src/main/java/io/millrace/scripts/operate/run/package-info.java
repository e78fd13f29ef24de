/** Commands about runs: executions, those that ended, and those that were split into parts. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.operate.run;
