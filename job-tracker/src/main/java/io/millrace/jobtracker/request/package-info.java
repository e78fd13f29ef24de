/** Maps each type of request to the method that answers it. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.request;
