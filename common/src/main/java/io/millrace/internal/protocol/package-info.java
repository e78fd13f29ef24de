/** One record per message; {@link io.millrace.internal.protocol.RequestType} lists the requests. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.protocol;
