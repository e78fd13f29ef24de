import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { field } from '../core/view.js';

/** What there is to see without a token. */
export function signInView({ failure, signIn, languageChoice }) {
  const submit = (event) => {
    event.preventDefault();
    signIn(event.currentTarget.elements.token.value.trim());
  };
  return html`<main class="sign-in card">
    <h1 tabindex="-1"><img src="/console/icon.svg" alt="" width="32" height="32" /> Millrace</h1>
    <form @submit=${submit}>
      ${field(
        'token',
        t('sign-in.token'),
        html`<input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-describedby="token-hint"
        />`,
        t('sign-in.hint'),
      )}
      ${failure ? html`<p class="problem" role="alert">${failure}</p>` : nothing}
      <button type="submit" class="main">${t('sign-in')}</button>
    </form>
    ${languageChoice()}
  </main>`;
}
