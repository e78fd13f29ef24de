package io.millrace.console.api.operator;

import io.millrace.console.access.Sessions;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Trait;
import io.millrace.console.http.Scope;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes to sign in with a token, and out. */
public record SessionRoutes(Sessions sessions, Cookies cookies) {
  private static final Scope OWN = Scope.none("it is about the token itself");
  static final Resource SESSION = Resource.of("Access", Paths.V1 + "/session");

  /**
   * The largest sign-in body in bytes; small, because it is read before the sender is
   * authenticated.
   */
  private static final long LARGEST_SIGN_IN = 4 << 10;

  /** The body of a sign-in. */
  public record SignIn(String token) {}

  /**
   * The signed-in operator.
   *
   * @param csrfToken for the header X-CSRF-Token of each change; null with a bearer token, which
   *     needs none
   * @param expiresAt when the session ends; null except in the answer to a sign-in
   * @param nodeGroups the node groups that the token is limited to; null if to none
   * @param operates the node groups that a holder of the role VIEW may change; null if none, and
   *     with any other role
   */
  public record SignedIn(
      String name,
      Role role,
      @Nullable String csrfToken,
      @Nullable Instant expiresAt,
      @Nullable List<String> nodeGroups,
      @Nullable List<String> operates) {

    static SignedIn of(String name, Rights rights, @Nullable String csrf, @Nullable Instant ends) {
      return new SignedIn(
          name, rights.role(), csrf, ends, rights.groups().patterns(), rights.operates());
    }
  }

  public List<Route> routes() {
    return List.of(
        SESSION
            .post("", "signIn", "Begins a session; its cookie replaces the token")
            .open()
            .within(OWN)
            .takes(SignIn.class, LARGEST_SIGN_IN)
            .is(Trait.SECRET_BODY)
            .answers(201, SignedIn.class, this::signIn),
        SESSION
            .get("", "whoAmI", "Who is signed in, and the CSRF token that a change needs")
            .within(OWN)
            .answers(SignedIn.class, this::whoAmI),
        SESSION
            .delete("", "signOut", "Ends the session")
            .needs(Role.VIEW)
            .within(OWN)
            .answersNothing(this::signOut));
  }

  private Object signIn(Call call) {
    if (call.credentials().crossSite()) {
      throw Kind.FORBIDDEN.because("the request was made by a page of another site");
    }
    Sessions.Begun begun =
        sessions.begin(
            call.body(SignIn.class).token(), SESSION.path(), call.credentials().address());
    SignedIn signedIn =
        SignedIn.of(
            begun.token().name(),
            begun.token().rights(),
            Sessions.csrfToken(begun.secret()),
            Instant.ofEpochMilli(begun.expiresAt()));
    return Reply.created(signedIn).withCookie(cookies.ofSession(call, begun));
  }

  private Object whoAmI(Call call) {
    String session = call.credentials().session();
    boolean withToken = call.credentials().bearer() != null;
    String csrf = withToken || session == null ? null : Sessions.csrfToken(session);
    Caller caller = call.caller();
    return SignedIn.of(caller.name(), caller.rights(), csrf, null);
  }

  private Object signOut(Call call) {
    String session = call.credentials().session();
    if (session != null) {
      sessions.end(session);
    }
    return Reply.nothing().withCookie(cookies.endOfSession(call));
  }
}
