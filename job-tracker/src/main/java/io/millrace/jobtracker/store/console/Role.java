package io.millrace.jobtracker.store.console;

/** What an operator may do; each role may also do what those before it may. */
public enum Role {
  /** Look at everything. */
  VIEW,
  /** Change jobs, executions and workers. */
  OPERATE,
  /** Issue and revoke tokens. */
  ADMIN;

  /** Whether this role may do what takes the other. */
  public boolean allows(Role needed) {
    return compareTo(needed) >= 0;
  }
}
