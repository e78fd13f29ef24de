/** Declares and serves an API: routes, their parameters, problems. Independent of jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.http;
