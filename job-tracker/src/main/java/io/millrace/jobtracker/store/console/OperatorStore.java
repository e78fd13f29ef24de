package io.millrace.jobtracker.store.console;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who may operate: tokens, and the browsers that were signed in with one. Secrets are hashed. */
public interface OperatorStore {

  /**
   * A token without its secret.
   *
   * @param name who holds it; stands for one holder for ever
   * @param createdAt epoch milliseconds
   * @param createdBy name of the operator who issued it
   * @param revokedAt epoch milliseconds; null while it is good
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
   * @throws DuplicateKeyException if one of its name was ever issued
   */
  void issue(Token token, String tokenHash);

  /** Stores a token, unless any was ever issued; returns whether it did. */
  boolean issueFirst(Token token, String tokenHash);

  /** The token with this hash, unless it was revoked. */
  Optional<Token> findByHash(String tokenHash);

  /** Tokens with an id above this one, revoked ones too, in order of id. */
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

  /** Begins a session, and forgets those that have expired by now, a bounded number at a time. */
  void beginSession(String sessionHash, Session session, long now);

  /** The session with this hash, if it has not expired and its token is good. */
  Optional<Session> findSession(String sessionHash, long now);

  /** Ends a session; harmless if there is none. */
  void endSession(String sessionHash);
}
