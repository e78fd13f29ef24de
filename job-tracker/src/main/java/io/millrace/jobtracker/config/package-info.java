/** What a tracker is configured with, and how files and properties are read. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.config;
