/** How an API is declared and served: routes, their parameters, problems. Knows no job. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.http;
