import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { t } from '../core/words.js';
import { providerName, signInAddress, signInElsewhere } from '../core/provider.js';
import { button, field } from '../core/view.js';

/** What there is to see without a token. */
export function signInView({ failure, signIn, languageChoice }) {
  return html`<main class="sign-in card">
    <h1 tabindex="-1"><img src="/console/icon.svg" alt="" width="32" height="32" /> Millrace</h1>
    ${providerName() ? html`<a class="button main" href=${signInAddress()}>${withProvider()}</a>` : nothing}
    ${signInForm({ failure, signIn })} ${languageChoice()}
  </main>`;
}

/** Over a page whose session has ended: the page stays as it is, with all that was typed. */
export function signInDialog({ name, failure, signIn }) {
  const stay = (event) => event.preventDefault();
  return html`<dialog
    class="session"
    closedby="none"
    aria-labelledby="session-title"
    @cancel=${stay}
    @close=${showSignInDialog}
  >
    <h2 id="session-title">${t('session.over')}</h2>
    <p>${t('session.over.text', { name })}</p>
    ${providerName() ? button(withProvider(), signInElsewhere, { tone: 'main' }) : nothing}
    ${signInForm({ failure, signIn })}
  </dialog>`;
}

/**
 * Opens the dialog if it is there; also again: a browser that does not know `closedby` closes it on the second Escape,
 * which cannot be prevented.
 */
export function showSignInDialog() {
  const dialog = document.querySelector('dialog.session');
  if (dialog && !dialog.open) {
    dialog.showModal();
  }
}

/** Closes the dialog, which gives the focus back. */
export function closeSignInDialog() {
  document.querySelector('dialog.session')?.close();
}

const withProvider = () => t('sign-in.with', { name: providerName() });

function signInForm({ failure, signIn }) {
  const submit = (event) => {
    event.preventDefault();
    signIn(event.currentTarget.elements.token.value.trim());
  };
  return html`<form @submit=${submit}>
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
  </form>`;
}
