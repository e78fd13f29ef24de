package io.millrace.jobtracker.store.console;

/** The permissions of an operator; each role includes those before it. */
public enum Role {
  /** Look at everything. */
  VIEW,
  /** Change jobs, executions and workers. */
  OPERATE,
  /** Issue and revoke tokens. */
  ADMIN;

  /** Whether this role includes the needed one. */
  public boolean allows(Role needed) {
    return compareTo(needed) >= 0;
  }
}
