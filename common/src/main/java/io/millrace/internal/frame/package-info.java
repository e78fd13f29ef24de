/** Frames on the wire, without the content of their bodies. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.frame;
