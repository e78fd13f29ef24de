/** Records and enums that cross the wire. They know the JDK and nothing else. */
@org.jspecify.annotations.NullMarked
package io.millrace.common.model;
