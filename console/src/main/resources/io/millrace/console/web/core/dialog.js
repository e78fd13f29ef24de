/** Questions that are asked before something is changed, and short messages after. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { t } from './words.js';
import { valuesOf } from './view.js';

const MESSAGE_MILLIS = 8_000;

let open = null;
let messages = [];
let changed = () => {};

/** What is to be called when there is something new to show. */
export function onDialogChange(listener) {
  changed = listener;
}

/**
 * Asks once. Fulfilled with the values of the fields when the user says yes, with null otherwise.
 *
 * @param title what is asked
 * @param text what it will do, with the count
 * @param about what tells the one that it is about from others that are called the same
 * @param yes the text of the button that does it; none if there is nothing to do but read
 * @param danger whether it takes something away
 * @param fields templates of input fields
 * @param check throws what is wrong with the values; the dialog says it, and stays open
 */
export function ask({ title, text, about = nothing, yes, danger = false, fields = nothing, check = () => {} }) {
  return new Promise((answer) => {
    const back = document.activeElement;
    open = { title, text, about, yes, danger, fields, check, answer, back, refusal: null };
    changed();
    document.querySelector('dialog.question')?.showModal();
  });
}

/** Takes the question back, if one is asked: the page that it is about is left. */
export function cancelQuestion() {
  if (open !== null) {
    close(null);
  }
}

function close(values) {
  const { answer, back } = open;
  document.querySelector('dialog.question')?.close();
  open = null;
  changed();
  back?.focus?.();
  answer(values);
}

/** Tells what happened; it goes away by itself, unless it is bad. */
export function tell(text, tone = 'good') {
  const message = { text, tone };
  messages = [...messages.slice(-3), message];
  changed();
  if (tone === 'good') {
    setTimeout(() => dismiss(message), MESSAGE_MILLIS);
  }
}

function dismiss(message) {
  messages = messages.filter((other) => other !== message);
  changed();
}

/** Both, to be put at the end of the page. */
export function dialogs() {
  return html`${open === null ? nothing : question(open)}
    <div class="messages" role="status" aria-live="polite">
      ${messages.map(
        (message) => html`<p data-tone=${message.tone}>
          <span>${message.text}</span>
          <button type="button" class="quiet" aria-label=${t('dismiss')} @click=${() => dismiss(message)}>✕</button>
        </p>`,
      )}
    </div>`;
}

function question({ title, text, about, yes, danger, fields, check, refusal }) {
  const agree = (event) => {
    event.preventDefault();
    const values = valuesOf(event.currentTarget);
    try {
      check(values);
    } catch (failure) {
      open.refusal = failure.message;
      changed();
      return;
    }
    close(values);
  };
  const escape = (event) => {
    event.preventDefault();
    close(null);
  };
  return html`<dialog class="question" aria-labelledby="question-title" @cancel=${escape}>
    <form @submit=${agree}>
      <h2 id="question-title">${title}</h2>
      ${about === nothing ? nothing : html`<p class="hint">${about}</p>`}
      <p>${text}</p>
      ${fields} ${refusal === null ? nothing : html`<p class="problem" role="alert">${refusal}</p>`}
      <footer>
        <button type="button" class="quiet" @click=${() => close(null)}>${t('no')}</button>
        ${yes === undefined
          ? nothing
          : html`<button type="submit" class=${danger ? 'danger' : 'main'}>${yes}</button>`}
      </footer>
    </form>
  </dialog>`;
}
