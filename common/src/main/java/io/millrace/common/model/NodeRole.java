package io.millrace.common.model;

/** What a connected node is, and so what it may ask for. */
public enum NodeRole {
  CLIENT,
  WORKER,
  TRACKER,
  /** A value of a newer protocol. */
  UNKNOWN
}
