/** Records and enums that are sent over the wire. They depend only on the JDK. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.model;
