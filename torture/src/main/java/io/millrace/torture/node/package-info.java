/** A process of a run, of any kind: how it is started, asked to end, killed and frozen. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.node;
