/** Bounds on what is logged. What peers do never decides how many lines are written. */
@org.jspecify.annotations.NullMarked
package io.millrace.common.logging;
