/** Stores the parts that handlers make of their runs, and answers reduces how parts ended. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.parts;
