/** One record per message; {@link io.millrace.common.protocol.RequestType} lists the requests. */
@org.jspecify.annotations.NullMarked
package io.millrace.common.protocol;
