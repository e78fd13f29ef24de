/**
 * Changes of the rows that are selected, which this tab makes one after the other; bulk-changes.js has those that the tracker makes. They go
 * on while the user is on other pages of the console. They end with the session of the user who began them, and with the document, which
 * the browser asks about first.
 */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { isAway, OtherOperator } from './api.js';
import { tell } from './dialog.js';
import { button, linkWith } from './view.js';
import { t } from './words.js';

/** Fewer than the connections that a browser opens to one host: the pages go on being refreshed. */
const AT_ONCE = 4;

/** How often a tracker that does not answer is asked again: some five minutes long. */
const TRIES = 60;
const AGAIN_MILLIS = [1_000, 2_000, 5_000];

const REASONS_SHOWN = 5;
const ENDED_SHOWN = 10;

let changes = [];
let last = Promise.resolve();
const signInAwaited = [];
let isOpen = false;
let announced = '';
let frame = 0;
let host;

/** @param listener of { changed, signedOut, ended }: draws, shows the sign-in after a failure, is told of a change that has ended */
export function onBulkChange(listener) {
  host = listener;
}

/** Draws once for all that has come of the change since the browser drew last. */
function show() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    host.changed();
  });
}

const running = () => changes.filter(({ isOver }) => !isOver);

export const isAnyRunning = () => running().length > 0;

const askBeforeLeaving = (event) => event.preventDefault();

/**
 * Makes a change for each item, a few at once.
 *
 * @param what as in the words for it
 * @param about what an item is called, and the address where it is shown
 */
export function changeEach(page, what, items, change, about) {
  const left = [...items];
  const next = () => {
    const item = left.shift();
    return item && { ...about(item), run: async () => void (await change(item)) };
  };
  begin(page, what, items.length, next, AT_ONCE);
}

/**
 * @param rounds an iterator of rounds that change some each: how many as "count", and "run", which gives how many are done and which of
 *     them were refused
 */
export const changeInRounds = (page, what, total, rounds) => begin(page, what, total, () => rounds.next().value, 1);

function begin(page, what, total, next, atOnce) {
  const { address, query, definition } = page;
  /** @type {Change} */
  const change = { what, total, next, atOnce, address, home: linkWith(address, query), title: definition.title, done: 0, failed: 0, reasons: [] };
  changes = [...changes.filter(({ isOver }) => isOver).slice(-ENDED_SHOWN), ...running(), change];
  last = last.then(() => run(change));
  addEventListener('beforeunload', askBeforeLeaving);
  page.set({ selected: new Set() });
}

async function run(change) {
  change.hasBegun = true;
  const one = async () => {
    for (let step; !change.isStopped && (step = change.next()); ) {
      await attempt(change, step);
    }
  };
  await Promise.all(Array.from({ length: change.atOnce }, one));
  change.isOver = true;
  if (!isAnyRunning()) {
    removeEventListener('beforeunload', askBeforeLeaving);
  }
  const { total, done, failed, reasons, isLost } = change;
  const said = [nameOf(change), t('many.done', { n: done - failed, of: total })];
  if (failed > 0) {
    said.push(t('many.failed', { n: failed, why: reasons[0].why }));
  }
  if (isLost) {
    said.push(t('bulk.lost'));
  }
  tell(said.join(' '), failed > 0 || isLost ? 'bad' : 'good');
  host.ended(change);
}

async function attempt(change, { name, address, count = 1, run: make }) {
  for (let tries = 0; !change.isStopped; tries++) {
    try {
      note(change, (await make()) ?? {});
      return;
    } catch (failure) {
      if (!(await mayTryAgain(change, failure, tries))) {
        note(change, { done: count, failed: count, refused: [{ name, address, why: failure.message }] });
        return;
      }
    }
  }
}

function note(change, { done = 1, refused = [], failed = refused.length }) {
  const before = quarter(change);
  change.waits = undefined;
  change.done += done;
  change.failed += failed;
  change.reasons.push(...refused.slice(0, REASONS_SHOWN - change.reasons.length));
  if (quarter(change) !== before) {
    announced = textOf(change);
  }
  show();
}

/** It is said four times how far a change is, and not at each item. */
const quarter = ({ done, total }) => Math.floor((4 * done) / total);

/** Waits where that helps, unless the change was stopped meanwhile. */
async function mayTryAgain(change, failure, tries) {
  const isSessionOver = failure.status === 401 || failure instanceof OtherOperator;
  const isLost = isAway(failure);
  if (isSessionOver && !change.isStopped) {
    await wait(change, 'session', (goOn) => {
      signInAwaited.push(goOn);
      host.signedOut(failure);
    });
  } else if (isLost && !change.isStopped && tries < TRIES) {
    await wait(change, 'tracker', (goOn) => setTimeout(goOn, AGAIN_MILLIS[Math.min(tries, AGAIN_MILLIS.length - 1)]));
  } else if (isLost) {
    change.isLost = !change.isStopped;
    change.isStopped = true;
  }
  return isSessionOver || isLost;
}

function wait(change, what, until) {
  change.waits = what;
  announced = textOf(change);
  show();
  return new Promise(until);
}

/** After the same user has signed in again. */
export function goOnWithAll() {
  signInAwaited.splice(0).forEach((goOn) => goOn());
}

/** Stops all; what has been done of them is told. */
export function forgetAll() {
  changes.forEach(stop);
  changes = [];
  closeBulk();
  goOnWithAll();
}

function stop(change) {
  change.isStopped = true;
  show();
}

const nameOf = ({ title, what }) => `${t(title)}, ${t(`act.${what}`)}:`;

const textOf = ({ what, done, total, waits }) => (waits ? t(`bulk.waits.${waits}`) : t(`bulk.${what}`, { n: done, of: total }));

/** How far the first one is, in the head of each page; it opens the list of all. */
export function bulkChip() {
  const [first, ...others] = running();
  return html`<span class="unseen" role="status">${announced}</span>
    ${changes.length === 0
      ? nothing
      : html`<button type="button" class="quiet chip" aria-haspopup="dialog" title=${t('bulk')} @click=${openBulk}>
          ${first ? textOf(first) : t('bulk')} ${others.length > 0 ? `+ ${others.length}` : nothing}
        </button>`}`;
}

function openBulk() {
  isOpen = true;
  host.changed();
  document.querySelector('dialog.bulk')?.showModal();
}

export function closeBulk() {
  if (isOpen) {
    isOpen = false;
    document.querySelector('dialog.bulk')?.close();
    host.changed();
  }
}

function clear() {
  changes = running();
  if (changes.length === 0) {
    closeBulk();
  }
  show();
}

/** To be put at the end of the page. */
export function bulkPanel() {
  return isOpen
    ? html`<dialog class="bulk" closedby="any" aria-labelledby="bulk-title" @close=${closeBulk}>
        <h2 id="bulk-title">${t('bulk')}</h2>
        ${changes.map(entry)}
        <footer>
          ${changes.some(({ isOver }) => isOver) ? button(t('bulk.clear'), clear, { tone: 'quiet' }) : nothing}
          ${button(t('no'), closeBulk)}
        </footer>
      </dialog>`
    : nothing;
}

function entry(change) {
  const { what, title, home, total, done, failed, reasons, isOver } = change;
  return html`<section>
    <h3>${t(`act.${what}`)} · <a href=${home} @click=${closeBulk}>${t(title)}</a></h3>
    <label
      >${t('many.progress.text', { n: done, of: total })} · ${t(stateOf(change))}
      <progress class="wide" max=${total} value=${done}></progress
    ></label>
    ${failed === 0
      ? nothing
      : html`<p>${t('bulk.failed', { n: failed })}</p>
          <ul>
            ${reasons.map(({ name, address, why }) => html`<li>${address ? html`<a href=${address} @click=${closeBulk}>${name}</a>: ` : nothing}${why}</li>`)}
            ${failed > reasons.length ? html`<li>${t('bulk.more', { n: failed - reasons.length })}</li>` : nothing}
          </ul>`}
    ${isOver || change.isStopped ? nothing : button(t('many.stop'), () => stop(change))}
  </section>`;
}

function stateOf({ isOver, isStopped, isLost, hasBegun, waits }) {
  if (isLost) {
    return 'bulk.lost';
  }
  if (isStopped) {
    return 'bulk.stopped';
  }
  if (isOver) {
    return 'bulk.over';
  }
  return waits ? `bulk.waits.${waits}` : hasBegun ? 'bulk.goes-on' : 'bulk.queued';
}
