/** Which method answers which request. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.request;
