/** The HTTP server: connections and their bounds, sign-in of requests, answers, streams. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.http.server;
