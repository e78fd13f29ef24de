/** What waits in a node group: in the order in which it will run, by due time, or the one-shots by name, which can be cancelled all at once. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { cancelJob, ofJob } from '../core/actions.js';
import { firstFound, get, path, post, withQuery } from '../core/api.js';
import { changeEach } from '../core/bulk.js';
import { allButton, changeAll } from '../core/bulk-changes.js';
import { ask } from '../core/dialog.js';
import { away, counted, instant, number } from '../core/format.js';
import { inWords, searchForm, textField } from '../core/search.js';
import { chosenOf, selectColumn, selectionBar } from '../core/select.js';
import { total } from '../core/total.js';
import { t, word } from '../core/words.js';
import { badge, button, choice, emptyNotice, field, isolated, jobLink, linkWith, paging, table } from '../core/view.js';

const PAGE = 50;
const GROUPS = 200;
const ORDERS = ['turn', 'due', 'due-down', 'name', 'name-down'];

/**
 * What the API calls them.
 *
 * @type {Record<string, string>}
 */
const NAMES = { due: 'DUE', 'due-down': 'DUE_DESCENDING', 'name-down': 'NAME_DESCENDING' };

export const waiting = {
  title: 'waiting.title',
  question: 'waiting.question',
  groupIn: 'group',
  every: 10_000,
  rows: { items: (row) => row.id, groups: ({ name }) => name },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

/** Only one-shots have an order by name; a search for names is one for them. */
const orderOf = ({ order, prefix, handler }) => ((prefix || handler) && !isOfNames(order) ? 'name' : (order ?? 'turn'));

const isOfNames = (order) => order === 'name' || order === 'name-down';

async function load(page) {
  const { group, prefix, handler, after } = page.query;
  if (!group) {
    return { groups: (await get(withQuery('/groups', { limit: GROUPS }))).items };
  }
  return isByName(page)
    ? firstFound(
        (place) => get(withQuery(path`/triggers/${group}/one-shots`, { prefix, handler, order: orderName(page), after: place, limit: PAGE })),
        after,
        () => page.isCurrent,
      )
    : get(withQuery(path`/triggers/${group}`, { order: orderName(page), after, limit: PAGE }));
}

const isByName = ({ query }) => isOfNames(orderOf(query));

const orderName = ({ query }) => NAMES[orderOf(query)];

function view(page) {
  const { items, next, groups } = page.data;
  return html`
    ${groups ? nothing : countOf(page)} ${groups ? groupList(groups) : items.length === 0 ? emptyNotice(t(next ? 'waiting.none-here' : 'waiting.none')) : found(page, items)}
    ${paging(page, next)}
  `;
}

function searchFields(query) {
  return html`
    ${textField(query, 'group', t('col.group'))} ${textField(query, 'prefix', t('waiting.prefix'))}
    ${textField(query, 'handler', t('col.handler'))}
    ${field(
      'order',
      t('waiting.order'),
      choice(
        'order',
        orderOf(query),
        ORDERS.map((order) => [order, t(`waiting.order.${order}`)]),
      ),
    )}
  `;
}

function countOf(page) {
  const { group, prefix, handler } = page.query;
  return isByName(page)
    ? total(page, path`/triggers/${group ?? ''}/one-shots/count`, { prefix, handler })
    : total(page, path`/triggers/${group ?? ''}/count`, {});
}

function groupList(groups) {
  return table({
    caption: t('groups.title'),
    rows: groups,
    key: (group) => group.name,
    empty: t('groups.none'),
    columns: [
      { name: t('col.group'), cell: ({ name }) => html`<a href=${linkWith('/waiting', { group: name })}>${isolated(name)}</a>` },
      { name: t('col.backlog'), kind: 'number', cell: (group) => counted(group.backlog, group.atLeast) },
    ],
  });
}

function found(page, items) {
  return html`
    ${page.may('OPERATE', page.query.group) && isByName(page)
      ? html`<div class="actions">${allButton(page, t('cancel.all'), () => cancelMatching(page), 'danger')}</div>`
      : nothing}
    ${list(page, items)} ${manyActions(page, items)}
  `;
}

const isOneShot = ({ kind }) => kind === 'ONE_SHOT';

const jobOf = (page, { taskId }) => ({ nodeGroup: page.query.group, taskId });

/** Names and handlers are only looked for among the one-shots, by name. */
const isFiltered = ({ query: { prefix, handler } }) => prefix || handler;

function list(page, items) {
  const order = orderOf(page.query);
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('col.task'), sorted: { page, up: 'name', down: 'name-down', order }, cell: (row) => jobLink(jobOf(page, row)) },
    { name: t('waiting.kind'), cell: (row) => word('kind', row.kind) },
    { name: t('col.state'), cell: (row) => badge('state', row.state) },
    { name: t('col.planned'), cell: (row) => instant(row.plannedFor) },
    { name: t('col.due'), sorted: isFiltered(page) ? undefined : { page, up: 'due', down: 'due-down', order }, cell: (row) => (row.dueAt ? html`${instant(row.dueAt)} <small>${away(row.dueAt)}</small>` : '–') },
    { name: t('col.attempt'), kind: 'number', cell: (row) => number(row.attempt) },
    { name: t('col.priority'), kind: 'number', cell: (row) => number(row.priority) },
    { name: t('col.handler'), cell: (row) => row.handler ?? '–' },
  ];
  if (page.may('OPERATE', page.query.group)) {
    columns.unshift(selectColumn(page, items, (row) => row.taskId, { mayBeChosen: isOneShot }));
    columns.push({ name: t('col.actions'), kind: 'actions', cell: (row) => actions(page, row) });
  }
  return table({ caption: t('waiting.title'), rows: items, columns, key: (row) => row.id });
}

function actions(page, row) {
  return isOneShot(row)
    ? html`<div class="actions">
        ${button(t('act.cancel'), () => cancelJob(page, jobOf(page, row)), {
          tone: 'danger',
          label: t('cancel.label', { task: row.taskId }),
        })}
      </div>`
    : nothing;
}

function manyActions(page, items) {
  const chosen = chosenOf(page, items).filter(isOneShot);
  return selectionBar(
    chosen,
    button(t('act.cancel'), () => cancelRows(page, chosen), {
      tone: 'danger',
      label: t('cancel.many.label'),
    }),
  );
}

function cancelMatching(page) {
  const { group, prefix, handler } = page.query;
  const counts = [[path`/triggers/${group ?? ''}/one-shots/count`, { prefix, handler }]];
  return changeAll(page, 'CANCEL_ONE_SHOTS', counts, askToCancel);
}

function askToCancel({ n, count = number(n), about }) {
  return ask({
    title: t('waiting.cancel.title', { n, count }),
    text: t('waiting.cancel.text'),
    about,
    yes: t('waiting.cancel.yes', { n }),
    danger: true,
  });
}

async function cancelRows(page, rows) {
  if (await askToCancel({ n: rows.length, about: inWords(page.query) })) {
    const jobs = rows.map((row) => jobOf(page, row));
    changeEach(page, 'cancel', jobs, cancel, ofJob);
  }
}

/** What has ended meanwhile needs no cancel. */
async function cancel({ nodeGroup, taskId }) {
  try {
    await post(path`/jobs/${nodeGroup}/${taskId}/cancel`);
  } catch (failure) {
    if (failure.status !== 404) {
      throw failure;
    }
  }
}
