package io.millrace.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.http.Credentials;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.OperatorStore.Use;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenUsesTest {
  private final TestDatabase database = TestDatabase.h2();
  private final ConsoleStores stores = database.stores().console();
  private final HandTime time = new HandTime();
  private final Clock clock = time.timedExecutor().clock();
  private int writes;
  private boolean away;

  private final OperatorStore counted =
      (OperatorStore)
          Proxy.newProxyInstance(
              OperatorStore.class.getClassLoader(),
              new Class<?>[] {OperatorStore.class},
              (proxy, method, values) -> call(method, values));

  private final TokenUses uses = new TokenUses(counted, clock);

  @AfterEach
  void close() {
    database.close();
  }

  private @Nullable Object call(Method method, Object[] values) throws Throwable {
    if (method.getName().equals("used")) {
      if (away) {
        throw new StoreUnavailableException("the database is away", null);
      }
      writes++;
    }
    try {
      return method.invoke(stores.operators(), values);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  private Token issue(String name) {
    long id = name.hashCode();
    Token token = Token.issued(id, name, Rights.of(Role.VIEW), clock.millis(), "admin", null);
    stores.operators().issue(token, Secrets.hash(name));
    return token;
  }

  private @Nullable Use stored(Token token) {
    return stores.operators().findByName(token.name()).orElseThrow().lastUse();
  }

  @Test
  void anyNumberOfUsesIsOneWriteAPass() {
    Token ann = issue("ann");
    Token bob = issue("bob");
    for (int i = 0; i < 1_000; i++) {
      uses.record(ann, "10.0.0." + i % 7);
      time.pass(Duration.ofMillis(1));
    }
    uses.record(ann, "10.0.0.9");
    uses.record(bob, "10.0.0.8");
    assertThat(writes).as("while requests come in").isZero();
    assertThat(stored(ann)).isNull();

    uses.write();
    uses.write();

    assertThat(writes).isEqualTo(2);
    assertThat(stored(ann)).isEqualTo(new Use(clock.millis(), "10.0.0.9"));
    assertThat(stored(bob)).isEqualTo(new Use(clock.millis(), "10.0.0.8"));
  }

  @Test
  void useThatIsNotWrittenYetIsShown() {
    Token ann = issue("ann");
    assertThat(uses.withLastUse(ann).lastUse()).isNull();

    uses.record(ann, "10.0.0.7");

    Use here = new Use(clock.millis(), "10.0.0.7");
    assertThat(uses.withLastUse(ann).lastUse()).isEqualTo(here);
    Use elsewhere = new Use(clock.millis() + 1, "10.0.0.8");
    assertThat(uses.withLastUse(ann.lastUsed(elsewhere)).lastUse()).isEqualTo(elsewhere);
    Use before = new Use(clock.millis() - 1, "10.0.0.8");
    assertThat(uses.withLastUse(ann.lastUsed(before)).lastUse()).isEqualTo(here);
  }

  @Test
  void laterUseAtAnotherTrackerStands() {
    Token ann = issue("ann");
    TokenUses other = new TokenUses(counted, clock);
    uses.record(ann, "10.0.0.1");
    time.pass(Duration.ofSeconds(1));
    other.record(ann, "10.0.0.2");

    other.write();
    uses.write();

    assertThat(stored(ann)).isEqualTo(new Use(clock.millis(), "10.0.0.2"));
  }

  @Test
  void whatCannotBeWrittenIsKept() {
    Token ann = issue("ann");
    uses.record(ann, "10.0.0.7");
    away = true;
    assertThatThrownBy(uses::write).isInstanceOf(StoreUnavailableException.class);
    away = false;

    uses.write();

    assertThat(stored(ann)).isEqualTo(new Use(clock.millis(), "10.0.0.7"));
  }

  @Test
  void requestsSignInsAndSessionsAreUses() {
    Token ann = issue("ann");
    IdSequence ids = new IdSequence(1, 0);
    ChangeRecord changes = new ChangeRecord(stores.audit(), ids, clock);
    AccessRecord access = new AccessRecord(changes, time.timedExecutor());
    OperatorAuthenticator authenticator =
        new OperatorAuthenticator(counted, clock, changes, access, uses);
    Sessions sessions = new Sessions(counted, clock, Duration.ofHours(12), access, uses);

    assertThat(authenticator.admit(sent("ann", null, "10.0.0.1"), false, Role.VIEW).name())
        .isEqualTo("ann");
    assertThat(uses.withLastUse(ann).lastUse()).isEqualTo(new Use(clock.millis(), "10.0.0.1"));
    String session = sessions.begin("ann", "/api/v1/session", "10.0.0.2").secret();
    assertThat(uses.withLastUse(ann).lastUse()).isEqualTo(new Use(clock.millis(), "10.0.0.2"));
    assertThat(authenticator.admit(sent(null, session, "10.0.0.3"), false, Role.VIEW).name())
        .isEqualTo("ann");
    assertThat(uses.withLastUse(ann).lastUse()).isEqualTo(new Use(clock.millis(), "10.0.0.3"));
    assertThatThrownBy(
        () -> authenticator.admit(sent("unknown", null, "10.0.0.4"), false, Role.VIEW));
    uses.write();
    assertThat(writes).isEqualTo(1);
  }

  private static Credentials sent(
      @Nullable String bearer, @Nullable String session, String address) {
    return new Credentials(bearer, session, null, null, false, address, "cookie");
  }
}
