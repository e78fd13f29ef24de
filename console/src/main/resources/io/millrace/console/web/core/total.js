/** How many entries of a list match. It is asked apart from the list, which does not wait for it. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, Problem, withQuery } from './api.js';
import { nowText } from './clock.js';
import { tell } from './dialog.js';
import { timeOfDay } from './format.js';
import { t } from './words.js';

const AGAIN_MILLIS = 15_000;

/** The most that the tracker examines if all are to be counted, and for longer than it does so. */
const ALL = 10_000_000;
const PATIENCE_MILLIS = 40_000;

/** @type {any} */
let asked = {};

/**
 * The number, as far as it is known; empty while it is not. It is counted up to a bound once for a search, and again now and then as
 * long as the list is refreshed; beyond the bound only if the user wants it, once each time.
 *
 * @param address of the count
 * @param query the search
 */
export function total(page, address, query) {
  const url = withQuery(address, query);
  if (asked.url !== url || (!asked.all && Date.now() - asked.at > AGAIN_MILLIS)) {
    count(page, url, withQuery(address, { ...query, upTo: ALL }));
  }
  const { answer, all } = asked;
  if (all?.answer) {
    return shown(`${textOf(all.answer)} ${t('total.at', { at: timeOfDay(all.at, { seconds: true }) })}`, page, t('total.again'));
  }
  return shown(answer && textOf(answer), page, answer?.atLeast && t('total.all'));
}

const shown = (text, page, name) =>
  html`<p class="hint total" aria-live=${asked.all ? 'polite' : nothing}>
    ${text}${name
      ? html` <button type="button" class="quiet" @click=${() => countAll(page)}>
          ${asked.all?.end ? t('total.counting') : name}
        </button>`
      : nothing}
  </p>`;

/** Has it counted when the list is drawn next: much has been changed. */
export function countAgain() {
  asked.at = 0;
  forgetAll();
}

/** A count of another search is of no use any more. */
async function count(page, url, whole) {
  asked.end?.abort();
  if (asked.url !== url) {
    forgetAll();
  }
  const mine = { url, whole, at: Date.now(), answer: asked.url === url ? asked.answer : '', end: new AbortController() };
  asked = mine;
  try {
    mine.answer = await get(url, mine.end.signal);
    page.set({});
  } catch {
    // The list says what is wrong.
  }
}

function forgetAll() {
  asked.all?.end?.abort();
  delete asked.all;
}

async function countAll(page) {
  const of = asked;
  if (of.all?.end) {
    return;
  }
  const end = new AbortController();
  of.all = { ...of.all, end };
  page.set({});
  try {
    const answer = await get(of.whole, end.signal, PATIENCE_MILLIS);
    of.all = { answer, at: nowText() };
  } catch (failure) {
    if (end.signal.aborted) {
      return;
    }
    of.all = of.all.answer && { answer: of.all.answer, at: of.all.at };
    tell(t('total.failed', { why: failure instanceof Problem ? failure.message : t('lost.now') }), 'bad');
  }
  page.set({});
}

const textOf = ({ count: n, examined, atLeast }) => t(!atLeast ? 'total' : n < examined ? 'total.examined' : 'total.more', { n, of: examined });
