package io.millrace.jobtracker.store.console;

import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operators: tokens, persons who sign in through an identity provider, and the browser sessions
 * of both. A person is kept like a token whose secret was thrown away. Secrets are hashed.
 */
public interface OperatorStore {
  /** Who created persons, instead of the name of an operator. */
  String PROVIDER = "identity provider";

  /**
   * A token without its secret.
   *
   * @param name the holder; a name is never given to another holder
   * @param rights what the holder may do
   * @param createdAt epoch milliseconds
   * @param createdBy name of the operator who issued it
   * @param revokedAt epoch milliseconds; null unless it was revoked
   * @param renewedAt when it got its present secret, epoch milliseconds; null if that is its first
   * @param expiresAt when it stops being valid by itself, epoch milliseconds; null if never
   * @param lastUse null if it was never used
   * @param identity whom the identity provider knows, as a hash; null for a token
   */
  record Token(
      long id,
      String name,
      Rights rights,
      long createdAt,
      String createdBy,
      @Nullable Long revokedAt,
      @Nullable Long renewedAt,
      @Nullable Long expiresAt,
      @Nullable Use lastUse,
      @Nullable String identity) {

    /** A token that is new. */
    public static Token issued(
        long id, String name, Rights rights, long at, String by, @Nullable Long expiresAt) {
      return new Token(id, name, rights, at, by, null, null, expiresAt, null, null);
    }

    /** A person whom the identity provider knows, for the first time. */
    public static Token ofPerson(long id, String name, String identity, Rights rights, long at) {
      return new Token(id, name, rights, at, PROVIDER, null, null, null, null, identity);
    }

    /** Whether it is a person who signs in through an identity provider. */
    public boolean isPerson() {
      return identity != null;
    }

    /** Returns this token with other rights. */
    public Token with(Rights others) {
      return new Token(
          id, name, others, createdAt, createdBy, revokedAt, renewedAt, expiresAt, lastUse,
          identity);
    }

    /** Whether its end has come. */
    public boolean hasExpired(long now) {
      return expiresAt != null && expiresAt <= now;
    }

    /** Returns this token after a renewal. */
    public Token renewed(Renewal renewal) {
      return new Token(
          id,
          name,
          rights,
          createdAt,
          createdBy,
          revokedAt,
          renewal.at(),
          renewal.expiresAt(),
          lastUse,
          identity);
    }

    /** Returns this token with another last use. */
    public Token lastUsed(Use use) {
      return new Token(
          id, name, rights, createdAt, createdBy, revokedAt, renewedAt, expiresAt, use, identity);
    }
  }

  /**
   * A use of a token.
   *
   * @param at epoch milliseconds
   * @param from the address of the client
   */
  record Use(long at, String from) {}

  /**
   * What a token gets when it is renewed.
   *
   * @param tokenHash of the new secret
   * @param at epoch milliseconds
   * @param expiresAt epoch milliseconds; null if it has no end
   */
  record Renewal(String tokenHash, long at, @Nullable Long expiresAt) {}

  /**
   * Stores a token.
   *
   * @throws DuplicateKeyException if a token of this name was ever issued
   */
  void issue(Token token, String tokenHash);

  /** Stores a token, unless one was ever issued; returns whether it was stored. */
  boolean issueFirst(Token token, String tokenHash);

  /** Returns the token with this hash, also if it has expired, unless it was revoked. */
  Optional<Token> findByHash(String tokenHash);

  /** Returns the token of this name, also if it has expired, unless it was revoked. */
  Optional<Token> findByName(String name);

  /** Returns tokens behind an id, including revoked ones, in order of id. */
  List<Token> list(AgeOrder order, long behindId, int limit);

  /** As {@link #list(AgeOrder, long, int)}, the oldest first. */
  default List<Token> list(long aboveId, int limit) {
    return list(AgeOrder.OLDEST_FIRST, aboveId, limit);
  }

  /**
   * Revokes a token and ends the sessions that were begun with it.
   *
   * @return false if there is no such token, or it was revoked before
   */
  boolean revoke(String name, long now);

  /**
   * Gives a token another secret in place of its own, and ends the sessions that were begun with
   * it.
   *
   * @param keptSession hash of a session that goes on; null for none
   * @return false if there is no such token, or it was revoked
   */
  boolean renew(String name, Renewal renewal, @Nullable String keptSession);

  /**
   * Stores what a person who signs in may do, and returns the person as stored: with the name and
   * the id of the first time. If the rights are others than before, the sessions of the person end.
   *
   * @param tokenHash of a secret that is thrown away, for a person who is new
   * @return empty if the person was revoked
   * @throws DuplicateKeyException if the person is new, and the name is that of another one
   */
  Optional<Token> admit(Token person, String tokenHash);

  /**
   * Takes the revocation of a person back.
   *
   * @return false if no person of this name was revoked
   */
  boolean restore(String name);

  /** Records a use of a token, unless a later one is recorded. */
  void used(long tokenId, Use use);

  /**
   * A signed-in browser.
   *
   * @param expiresAt epoch milliseconds
   */
  record Session(Token token, long expiresAt) {}

  /**
   * Begins a session, and deletes expired sessions, a bounded number at a time.
   *
   * @return false if the token was renewed or revoked since it was read: the session would outlast
   *     that, and does not begin
   */
  boolean beginSession(String sessionHash, Session session, long now);

  /** Returns the session with this hash, if neither it nor its token has ended. */
  Optional<Session> findSession(String sessionHash, long now);

  /** Ends a session; harmless if there is none. */
  void endSession(String sessionHash);
}
