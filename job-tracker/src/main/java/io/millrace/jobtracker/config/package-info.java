/** The configuration of a tracker, and how it is read from files and properties. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.config;
