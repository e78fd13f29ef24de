package io.millrace.internal.model;

/** The level of a line of a job's log. */
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR,
  /** A value of a newer protocol. */
  UNKNOWN
}
