/**
 * The trackers beside this one. Nothing depends on what they are told: a hint that is lost costs
 * the time until the owner's own timers find the rows, never a trigger.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.peers;
