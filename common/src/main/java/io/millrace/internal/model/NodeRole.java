package io.millrace.internal.model;

/** The role of a connected node, which decides the requests it may send. */
public enum NodeRole {
  CLIENT,
  WORKER,
  TRACKER,
  /** A value of a newer protocol. */
  UNKNOWN
}
