/** The HTTP server: connections and their limits, authentication of requests, answers, streams. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.http.server;
