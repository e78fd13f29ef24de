/** Text to be taken along: shown, with a button that copies it. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { t } from './words.js';

/** Puts text on the clipboard, or selects it where browsers let pages copy only over a secure connection. Whether it is copied. */
export async function copyText(text, id) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(/** @type {Node} */ (document.getElementById(id)));
    return false;
  }
}

/**
 * Text with its name and a button that copies it.
 *
 * @param id of the element that holds the text
 */
export function copyBlock(id, name, text) {
  const copy = async (event) => {
    const said = event.currentTarget.nextElementSibling;
    said.textContent = t((await copyText(text, id)) ? 'copy.done' : 'copy.by-hand');
  };
  return html`<section class="copy" aria-labelledby="${id}-name">
    <h3 id="${id}-name">${name}</h3>
    <pre id=${id} tabindex="0">${text}</pre>
    <div class="actions">
      <button type="button" aria-label=${t('copy.label', { name })} @click=${copy}>${t('copy')}</button>
      <span role="status"></span>
    </div>
  </section>`;
}
