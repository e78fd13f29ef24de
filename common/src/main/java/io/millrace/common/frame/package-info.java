/** The frames of the wire, without what is in them. */
@org.jspecify.annotations.NullMarked
package io.millrace.common.frame;
