/**
 * The jobs that the clients of a run submit and the behaviour of their invocations, all determined
 * by a seed.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.load;
