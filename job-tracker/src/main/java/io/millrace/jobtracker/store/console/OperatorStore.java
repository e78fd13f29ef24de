package io.millrace.jobtracker.store.console;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operators: tokens, and the browser sessions that were begun with one. Secrets are hashed. */
public interface OperatorStore {

  /**
   * A token without its secret.
   *
   * @param name the holder; a name is never given to another holder
   * @param createdAt epoch milliseconds
   * @param createdBy name of the operator who issued it
   * @param revokedAt epoch milliseconds; null while it is valid
   */
  record Token(
      long id,
      String name,
      Role role,
      long createdAt,
      String createdBy,
      @Nullable Long revokedAt) {}

  /**
   * Stores a token.
   *
   * @throws DuplicateKeyException if a token of this name was ever issued
   */
  void issue(Token token, String tokenHash);

  /** Stores a token, unless one was ever issued; returns whether it was stored. */
  boolean issueFirst(Token token, String tokenHash);

  /** Returns the token with this hash, unless it was revoked. */
  Optional<Token> findByHash(String tokenHash);

  /** Returns tokens with an id above this one, including revoked ones, in order of id. */
  List<Token> list(long aboveId, int limit);

  /**
   * Revokes a token and ends the sessions that were begun with it.
   *
   * @return false if there is no such token, or it was revoked before
   */
  boolean revoke(String name, long now);

  /**
   * A signed-in browser.
   *
   * @param expiresAt epoch milliseconds
   */
  record Session(Token token, long expiresAt) {}

  /** Begins a session, and deletes expired sessions, a bounded number at a time. */
  void beginSession(String sessionHash, Session session, long now);

  /** Returns the session with this hash, if it has not expired and its token is valid. */
  Optional<Session> findSession(String sessionHash, long now);

  /** Ends a session; harmless if there is none. */
  void endSession(String sessionHash);
}
