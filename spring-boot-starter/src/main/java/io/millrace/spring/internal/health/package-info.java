/** The health of the connection to trackers, for the Actuator. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.health;
