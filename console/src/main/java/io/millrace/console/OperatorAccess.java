package io.millrace.console;

import io.millrace.console.access.AccessRecord;
import io.millrace.console.access.ChangeRecord;
import io.millrace.console.access.OperatorAuthenticator;
import io.millrace.console.access.OperatorTokens;
import io.millrace.console.access.Sessions;
import io.millrace.console.access.TokenLife;
import io.millrace.console.access.TokenUses;
import io.millrace.console.access.oidc.OidcConfig;
import io.millrace.console.access.oidc.ProviderSignIn;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.store.console.ConsoleStores;
import org.jspecify.annotations.Nullable;

/** The services that admit operators to one console. They share one record of refused tokens. */
record OperatorAccess(
    OperatorAuthenticator authenticator,
    Sessions sessions,
    @Nullable ProviderSignIn provider,
    OperatorTokens tokens,
    TokenUses uses,
    ChangeRecord changes) {

  static OperatorAccess of(ConsoleConfig config, TrackerOperations tracker) {
    ConsoleStores stores = tracker.stores().console();
    Clock clock = tracker.time().clock();
    ChangeRecord changes = new ChangeRecord(stores.audit(), tracker.ids(), clock);
    AccessRecord record = new AccessRecord(changes, tracker.time());
    TokenUses uses = new TokenUses(stores.operators(), clock);
    Sessions sessions = new Sessions(stores.operators(), clock, config.session(), record, uses);
    OidcConfig oidc = config.oidc();
    return new OperatorAccess(
        new OperatorAuthenticator(stores.operators(), clock, changes, record, uses),
        sessions,
        oidc == null
            ? null
            : new ProviderSignIn(oidc, stores.operators(), tracker.ids(), clock, sessions, record),
        new OperatorTokens(
            stores.operators(), tracker.ids(), clock, new TokenLife(config.maxTokenLife())),
        uses,
        changes);
  }
}
