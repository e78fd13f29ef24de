/** Commands about dead triggers. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.operate.dead;
