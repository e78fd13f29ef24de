/**
 * Bulk changes: of all that match a search. The tracker makes them, so they go on when the browser is closed. This tab requests them, shows
 * those under way in the head of each page, and tells how those that it requested have ended.
 */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, isAway, orNull, path, post, Problem, withQuery } from './api.js';
import { tell } from './dialog.js';
import { counted } from './format.js';
import { inWords } from './search.js';
import { t, word } from './words.js';
import { button } from './view.js';

/** The most that the tracker examines if all are to be counted, and for longer than it does so. */
const ALL = 10_000_000;
const PATIENCE_MILLIS = 40_000;

const AGAIN_MILLIS = 2_000;
const AWAY_MILLIS = 5_000;
const PAGE = '#/bulk';

/** What each action does, in the words for it, and the page of the search. */
const ACTIONS = {
  PAUSE_JOBS: ['pause', '/jobs'],
  RESUME_JOBS: ['resume', '/jobs'],
  CANCEL_JOBS: ['cancel', '/jobs'],
  CANCEL_ONE_SHOTS: ['cancel', '/waiting'],
  TERMINATE_EXECUTIONS: ['terminate', '/running'],
  REPLAY_DEAD: ['replay', '/dead'],
  DISCARD_DEAD: ['discard', '/dead'],
};

/** By page: the fields of the filter of a bulk change, by their names in the query of the page. */
const FIELDS = {
  '/jobs': { group: 'nodeGroup', prefix: 'prefix', contains: 'contains', handler: 'handler', owner: 'owner', state: 'state' },
  '/waiting': { group: 'nodeGroup', prefix: 'prefix', handler: 'handler' },
  '/running': { group: 'nodeGroup', task: 'task', worker: 'worker' },
  '/dead': { nodeGroup: 'nodeGroup', taskId: 'prefix', from: 'from', to: 'to' },
};

/** By page: what else its query says of those that are changed. */
const ALWAYS = { '/waiting': { order: 'name' }, '/dead': { state: 'OPEN' } };

/** Those under way, newest first, as far as this tab knows. */
let underWay = [];

/** By id, of those that this tab has requested and that have not ended: the address of the page. */
const own = new Map();
let timer;
let turn = 0;
let host;

/** @param listener of { changed, ended }: draws, is told of the end of a bulk change that this tab has requested */
export function onBulkChangeOfTracker(listener) {
  host = listener;
}

/** The filter for what a page searches for. */
export const filterOf = ({ address, query }) =>
  Object.fromEntries(
    Object.entries(FIELDS[address])
      .filter(([name]) => query[name])
      .map(([name, field]) => [field, query[name]]),
  );

/** What a bulk change searches for: the page of it, and the query there. */
export function searchOf({ action, filter }) {
  const [, address] = ACTIONS[action];
  const query = Object.fromEntries(Object.entries(FIELDS[address]).map(([name, field]) => [name, filter[field]]));
  return { address, query: { ...query, ...ALWAYS[address] } };
}

/** How far a bulk change is, in numbers; the total is not known before the tracker has counted. */
export const countsOf = ({ total, done, failed }) => ({
  total: total === undefined ? undefined : Number(total),
  done: Number(done),
  failed: Number(failed),
});

export const isUnderWay = ({ endedAt }) => !endedAt;

/** A button that does something to all that match, once they are counted. */
export const allButton = (page, text, act, tone = '') => button(text, act, { tone, disabled: Boolean(page.ui.isCounting) });

/**
 * Counts what matches the search of the page, asks, and has the tracker change it.
 *
 * @param action as the API calls it
 * @param counts of [address, query]: they count what it would change, and are added up
 * @param question is given how many they are, the same in words, and what the search is; gives what the request has besides, or null
 */
export async function changeAll(page, action, counts, question) {
  const found = await countAll(page, counts);
  if (found === null) {
    return;
  }
  const { n, isAtLeast } = found;
  if (n === 0 && !isAtLeast) {
    tell(t('bulk.none'));
    return;
  }
  const filter = filterOf(page);
  const about = `${inWords(searchOf({ action, filter }).query)} ${t('bulk-changes.by-tracker')}`;
  const values = await question({ n, count: counted(n, isAtLeast), about });
  if (values) {
    await request(page, { action, filter, everything: Object.keys(filter).length === 0 || undefined, ...values });
  }
}

/** How many there are; null if that cannot be told, which is said, or the page was left meanwhile. */
async function countAll(page, counts) {
  const end = new AbortController();
  page.onLeave(() => end.abort());
  page.set({ isCounting: true });
  try {
    let n = 0;
    let isAtLeast = false;
    for (const [address, query] of counts) {
      const { count, atLeast } = await countOne(address, query, end.signal);
      n += count;
      isAtLeast ||= atLeast;
    }
    return page.isCurrent ? { n, isAtLeast } : null;
  } catch (failure) {
    if (!end.signal.aborted && !page.isSignedOut(failure)) {
      tell(t('total.failed', { why: failure instanceof Problem ? failure.message : t('lost.now') }), 'bad');
    }
    return null;
  } finally {
    page.set({ isCounting: false });
  }
}

/** The tracker runs few long counts at a time: one is asked for only where the usual bound was reached. */
async function countOne(address, query, end) {
  const answer = await get(withQuery(address, query), end);
  return answer.atLeast ? get(withQuery(address, { ...query, upTo: ALL }), end, PATIENCE_MILLIS) : answer;
}

function request(page, body) {
  const send = async () => {
    const { id } = await post('/bulk-changes', body);
    own.set(id, page.address);
    watchBulkChanges();
  };
  return page.act(send, html`${t('bulk-changes.requested')} ${seeAll()}`);
}

const seeAll = () => html`<a href=${PAGE}>${t('bulk-changes.see')}</a>`;

/** Looks which are under way, and again as long as there are some. */
export async function watchBulkChanges() {
  clearTimeout(timer);
  const mine = ++turn;
  let pause = AGAIN_MILLIS;
  try {
    const { items } = await get(withQuery('/bulk-changes', { active: 'true' }));
    const gone = [...own.keys()].filter((id) => items.every((item) => item.id !== id));
    const ended = await Promise.all(gone.map((id) => orNull(get(path`/bulk-changes/${id}`))));
    if (mine !== turn) {
      return;
    }
    underWay = items;
    gone.forEach((id, i) => tellEnd(id, ended[i]));
    host.changed();
  } catch (failure) {
    if (mine !== turn || !isAway(failure)) {
      return;
    }
    pause = AWAY_MILLIS;
  }
  if (underWay.length > 0 || own.size > 0 || pause === AWAY_MILLIS) {
    again(pause);
  }
}

function again(millis) {
  timer = setTimeout(() => (document.hidden ? again(millis) : watchBulkChanges()), millis);
}

/** When another user signs in, or the user signs out. */
export function forgetBulkChanges() {
  clearTimeout(timer);
  turn++;
  underWay = [];
  own.clear();
}

function tellEnd(id, change) {
  const address = own.get(id);
  own.delete(id);
  if (change) {
    const isWell = countsOf(change).failed === 0 && change.state === 'DONE';
    tell(html`${endOf(change)} ${seeAll()}`, isWell ? 'good' : 'bad');
    host.ended({ address });
  }
}

/** Such as "Pause jobs: all". */
export const named = (action, more) => t('bulk-changes.name', { what: word('bulk-action', action), more });

/** How a bulk change has ended, such as "Pause jobs: 59 of 60 done. 1 failed." */
export function endOf(change) {
  const { action, state, endReason } = change;
  const { total, done, failed } = countsOf(change);
  const said = [named(action, t('many.done', { n: done - failed, of: total ?? done }))];
  if (failed > 0) {
    said.push(t('bulk-changes.failed', { n: failed }));
  }
  if (state !== 'DONE') {
    said.push(whyEnded(state, endReason));
  }
  return said.join(' ');
}

/** Why it has ended before all was changed. */
export const whyEnded = (state, why = '') => t(state === 'STOPPED' ? 'bulk-changes.stopped-by' : 'bulk-changes.ended-early', { why });

/** How far it is, in words. */
export function progressOf(change) {
  const { action } = change;
  const { total, done } = countsOf(change);
  return total === undefined
    ? named(action, t('bulk-changes.so-far', { n: done }))
    : t(`bulk.${ACTIONS[action][0]}`, { n: done, of: total });
}

/** How far the newest one is, in the head of each page; it leads to the page of all. */
export function bulkChangesChip() {
  const [first, ...others] = underWay;
  return first
    ? html`<a class="button quiet chip" href=${PAGE} title=${t('bulk-changes.under-way')}>
        ${progressOf(first)} ${others.length > 0 ? `+ ${others.length}` : nothing}
      </a>`
    : nothing;
}
