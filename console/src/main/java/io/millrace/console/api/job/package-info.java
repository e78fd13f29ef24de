/** Routes for jobs and their schedules. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.job;
