/** How many entries of a list match. It is asked apart from the list, which does not wait for it. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from './api.js';
import { t } from './words.js';

/** The most that the tracker examines. */
const EXAMINED = 10_000;
const AGAIN_MILLIS = 15_000;

/** @type {any} */
let asked = {};

/**
 * The number, as far as it is known; empty while it is not. It is counted once for a search, and again now and then as long as the
 * list is refreshed.
 *
 * @param address of the count
 * @param query the search
 */
export function total(page, address, query) {
  const url = withQuery(address, query);
  if (asked.url !== url || Date.now() - asked.at > AGAIN_MILLIS) {
    count(page, url);
  }
  return html`<p class="hint total">${asked.answer && textOf(asked.answer)}</p>`;
}

/** Has it counted when the list is drawn next: much has been changed. */
export function countAgain() {
  asked.at = 0;
}

/** A count of another search is of no use any more. */
async function count(page, url) {
  asked.end?.abort();
  const mine = { url, at: Date.now(), answer: asked.url === url ? asked.answer : '', end: new AbortController() };
  asked = mine;
  try {
    mine.answer = await get(url, mine.end.signal);
    page.set({});
  } catch {
    // The list says what is wrong.
  }
}

const textOf = ({ count: n, atLeast }) => t(!atLeast ? 'total' : n < EXAMINED ? 'total.examined' : 'total.more', { n, of: EXAMINED });
