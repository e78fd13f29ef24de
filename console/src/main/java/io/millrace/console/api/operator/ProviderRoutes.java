package io.millrace.console.api.operator;

import io.millrace.console.access.oidc.ProviderSignIn;
import io.millrace.console.access.oidc.SignInFailure;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Trait;
import io.millrace.console.http.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes to sign in through an identity provider. A browser follows them: they answer failures with
 * the sign-in page, too.
 *
 * @param provider null if there is none
 */
public record ProviderRoutes(@Nullable ProviderSignIn provider, Cookies cookies) {
  private static final String CONSOLE = "/";
  private static final Scope OWN = Scope.none("it is about who signs in");
  private static final Resource PROVIDER = SessionRoutes.SESSION.below("/provider");
  private static final Resource BEGIN = PROVIDER.below("/begin");
  private static final Resource CALLBACK = PROVIDER.below("/callback");
  private static final ParamForm<String> TEXT = ParamForm.text(4_096);
  private static final Param<String> PAGE =
      Param.query("page", TEXT, "#/", "Where to go then, as the fragment of the console's address");
  private static final Param<String> CODE =
      Param.query("code", TEXT, "What the provider signed the person in with");
  private static final Param<String> STATE =
      Param.query("state", TEXT, "What the provider was asked with");
  private static final Param<String> ERROR =
      Param.query("error", TEXT, "Why the provider did not sign the person in");
  private static final Param<String> ISSUER = Param.query("iss", TEXT, "The issuer");

  /**
   * Through whom persons can sign in.
   *
   * @param name of the identity provider; null if there is none
   */
  public record Provider(@Nullable String name) {}

  public List<Route> routes() {
    return List.of(
        PROVIDER
            .get("", "signInProvider", "The identity provider through which persons can sign in")
            .open()
            .within(OWN)
            .is(Trait.FROM_MEMORY)
            .answers(
                Provider.class, call -> new Provider(provider == null ? null : provider.name())),
        BEGIN
            .get("", "beginSignIn", "Sends a browser to the identity provider")
            .open()
            .within(OWN)
            .with(PAGE)
            .redirects(this::begin),
        CALLBACK
            .get("", "endSignIn", "Where the identity provider sends the browser back to")
            .open()
            .within(OWN)
            .with(CODE, STATE, ERROR, ISSUER)
            .is(Trait.FOREIGN_QUERY)
            .redirects(this::end));
  }

  private Object begin(Call call) {
    try {
      ProviderSignIn.Begun begun =
          required().begin(call.get(PAGE), BEGIN.path(), call.credentials().address());
      return Reply.redirect(begun.address().toString())
          .withCookie(cookies.ofAttempt(call, begun.cookie()));
    } catch (SignInFailure e) {
      return signInPage(e);
    }
  }

  private Object end(Call call) {
    ProviderSignIn.Answer answer =
        new ProviderSignIn.Answer(
            call.find(CODE).orElse(null),
            call.find(STATE).orElse(null),
            call.find(ERROR).orElse(null),
            call.find(ISSUER).orElse(null));
    try {
      ProviderSignIn.Done done =
          required()
              .end(
                  call.credentials().attempt(),
                  answer,
                  CALLBACK.path(),
                  call.credentials().address());
      return Reply.redirect(CONSOLE + done.page())
          .withCookie(cookies.ofSession(call, done.session()))
          .withCookie(cookies.endOfAttempt(call));
    } catch (SignInFailure e) {
      return signInPage(e).withCookie(cookies.endOfAttempt(call));
    }
  }

  private ProviderSignIn required() {
    if (provider == null) {
      throw Kind.NOT_FOUND.because("no identity provider is configured (console.oidc.issuer)");
    }
    return provider;
  }

  /** The page has words for the reason; what the provider said is in the audit and the log. */
  private static Reply signInPage(SignInFailure failure) {
    return Reply.redirect(CONSOLE + "#/sign-in/" + failure.reason());
  }
}
