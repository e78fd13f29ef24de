import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { away, counted, instant, number } from '../core/format.js';
import { searchForm, textField } from '../core/search.js';
import { t } from '../core/words.js';
import { choice, emptyNotice, field, groupLink, linkWith, paging, section, table } from '../core/view.js';
import { slotsMeter } from './workers.js';

const PAGE = 50;
/** Those with the largest backlogs are one page. */
const MOST = 500;
const TRACKERS = 500;
/** By name, unless another order is asked for. */
const ORDERS = ['', 'BACKLOG'];

export const groups = {
  title: 'groups.title',
  question: 'groups.question',
  every: 3_000,
  rows: { 'found.items': (group) => group.name, 'trackers.items': (tracker) => tracker.number },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

const searchFields = (query) => html`
  ${textField(query, 'contains', t('jobs.contains'), undefined, { suggests: false })}
  ${field('order', t('groups.order'), choice('order', query.order ?? '', ORDERS.map((order) => [order, t(`groups.order.${order || 'NAME'}`)])))}
`;

/** Trackers are not for tokens that are limited to node groups. */
async function load({ isLimited, query: { contains, order, after } }) {
  const [found, trackers] = await Promise.all([
    get(withQuery('/groups', { contains, order, after, limit: order ? MOST : PAGE })),
    isLimited ? null : get(withQuery('/trackers', { limit: TRACKERS })),
  ]);
  return { found, trackers };
}

function view(page) {
  const { found, trackers } = page.data;
  return html`
    ${found.items.length === 0 ? none(page) : groupsTable(page, found.items)} ${paging(page, found.next)}
    ${trackers === null ? nothing : section(t('groups.trackers'), trackersTable(trackers))}
  `;
}

function none(page) {
  if (page.query.contains) {
    return emptyNotice(t('jobs.contains.none'));
  }
  return emptyNotice(
    html`${t('groups.none')}
      ${page.maySome('OPERATE')
        ? html`<p><a class="button main" href="#/submit">${t('submit.title')}</a></p>`
        : nothing}`,
  );
}

function groupsTable(page, items) {
  return table({
    caption: t('groups.title'),
    rows: items,
    key: (group) => group.name,
    columns: [
      { name: t('col.group'), sorted: { page, up: '' }, cell: (group) => groupLink(group.name) },
      { name: t('groups.backlog'), kind: 'number', sorted: { page, down: 'BACKLOG' }, cell: backlog },
      { name: t('groups.oldest-due'), cell: oldestDue },
      { name: t('groups.next-due'), cell: (group) => (group.nextDue ? instant(group.nextDue) : '–') },
      { name: t('groups.workers'), cell: workersLink },
      { name: t('groups.slots'), cell: (group) => slotsMeter(group, group.name) },
      { name: t('groups.executing'), kind: 'number', cell: executingLink },
      { name: t('groups.owner'), cell: owner },
      { name: t('groups.counted'), cell: (group) => (group.countedAt ? away(group.countedAt) : '–') },
      { name: t('col.actions'), kind: 'actions', cell: timelineLink },
    ],
  });
}

function backlog(group) {
  if (!group.countedAt) {
    return t('groups.not-counted');
  }
  const count = counted(group.backlog, group.atLeast);
  const label = t('groups.backlog.label', { group: group.name });
  return html`<a href=${linkWith('/waiting', { group: group.name })} aria-label=${`${label}: ${count}`}>${count}</a>`;
}

function oldestDue({ oldestDue: since }) {
  return since ? html`${instant(since)} <small>${away(since)}</small>` : '–';
}

function workersLink({ name, workers, draining }) {
  const label = t('groups.workers.label', { group: name });
  return html`<a href=${linkWith('/workers', { group: name })} aria-label=${`${label}: ${number(workers)}`}
      >${number(workers)}</a
    >
    ${workers === 0
      ? html`<span class="badge" data-tone="warn">${t('groups.no-worker')}</span>`
      : nothing}
    ${draining > 0
      ? html`<span class="badge" data-tone="warn">${t('groups.draining', { n: draining })}</span>`
      : nothing}`;
}

function executingLink({ name, executing }) {
  const label = t('groups.executing.label', { group: name });
  return html`<a href=${linkWith('/running', { group: name })} aria-label=${`${label}: ${number(executing)}`}
    >${number(executing)}</a
  >`;
}

function timelineLink({ name }) {
  return html`<a href=${linkWith('/timeline', { group: name })} aria-label=${t('timeline.label', { group: name })}
    >${t('timeline.title')}</a
  >`;
}

/** Its address is known as long as it lives. */
function owner({ owner: tracker, address }) {
  return address
    ? html`${tracker} <small>${address}</small>`
    : html`<span class="badge" data-tone="bad">${t('groups.no-owner')}</span>`;
}

function trackersTable({ items }) {
  return table({
    caption: t('groups.trackers'),
    rows: items,
    key: (tracker) => tracker.number,
    empty: t('groups.no-trackers'),
    columns: [
      { name: t('groups.number'), kind: 'number', cell: (tracker) => tracker.number },
      { name: t('groups.tracker'), cell: (tracker) => tracker.id },
      { name: t('col.address'), cell: (tracker) => tracker.address },
      { name: t('col.state'), cell: alive },
      {
        name: t('groups.lease'),
        cell: (tracker) => html`${instant(tracker.leaseUntil)} <small>${away(tracker.leaseUntil)}</small>`,
      },
      { name: t('groups.served'), kind: 'number', cell: (tracker) => number(tracker.groups) },
      { name: t('groups.level'), kind: 'number', cell: (tracker) => tracker.featureLevel },
    ],
  });
}

function alive(tracker) {
  return html`<span class="badge" data-tone=${tracker.alive ? 'good' : 'bad'}
    >${t(tracker.alive ? 'groups.alive' : 'groups.gone')}</span
  >`;
}
