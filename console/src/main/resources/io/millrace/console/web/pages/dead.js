import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, getTexts, post, withQuery } from '../core/api.js';
import { changeInRounds } from '../core/bulk.js';
import { allButton, changeAll } from '../core/bulk-changes.js';
import { discardButton, replayBadge, replayOne, whyDead } from '../core/dead-rows.js';
import { ask, tell } from '../core/dialog.js';
import { instant, number } from '../core/format.js';
import { paramsTable } from '../core/params-table.js';
import { kept, quickRanges, searchForm, textField, timeFields, unlessSearched } from '../core/search.js';
import { chosenOf, selectColumn, selectionBar } from '../core/select.js';
import { total } from '../core/total.js';
import { t, word } from '../core/words.js';
import {
  badge,
  button,
  choice,
  emptyNotice,
  field,
  groupLink,
  jobLink,
  link,
  linkWith,
  newestFirst,
  paging,
  readParams,
  table,
} from '../core/view.js';
import { groups, isGrouped, loadGroups, switchOfView } from './dead-groups.js';

const PAGE = 50;
const STATES = ['OPEN', 'REPLAYED', 'DISCARDED'];
const ANY_STATE = 'ANY';

/** Few enough that an answer comes in time even if each takes a while. */
const REPLAYS_AT_ONCE = 50;
const MOST_LIKE_ONE = 500;

export const dead = {
  title: 'dead.title',
  question: 'dead.question',
  groupIn: 'nodeGroup',
  every: unlessSearched(5_000),
  rows: { items: (row) => row.id, 'failures.items': (failure) => failure.like },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

function load({ query }) {
  if (isGrouped(query)) {
    return loadGroups(filterOf(query));
  }
  return getTexts('/dead', {
    ...searchOf(query),
    like: query.like,
    order: query.order,
    after: query.after,
    limit: PAGE,
  });
}

const filterOf = ({ nodeGroup, taskId, from, to }) => ({ nodeGroup, taskId, from, to });

const searchOf = (query) => ({ ...filterOf(query), state: stateOf(query) === ANY_STATE ? undefined : stateOf(query) });

const stateOf = ({ state }) => state ?? 'OPEN';

const isReplayable = (trigger) => trigger.state !== 'REPLAYED';

function view(page) {
  return html`
    ${quickRanges(page)} ${switchOfView(page)}
    ${page.data.failures ? groups(page, replayChosen) : listed(page)}
  `;
}

function listed(page) {
  const { items, next } = page.data;
  return html`${page.query.like ? likeness(page) : total(page, '/dead/count', searchOf(page.query))} ${items.length === 0 ? none(page, next) : found(page, items)}
  ${paging(page, next)}`;
}

/** Says that only some are listed, and leads to all. */
function likeness({ address, query }) {
  return html`<p class="hint">
    ${t('dead.like', { id: query.like })}
    <a href=${linkWith(address, { ...query, like: '', after: '' })}>${t('dead.like.all')}</a>
  </p>`;
}

function searchFields(query) {
  const states = STATES.map((state) => [state, word('dead', state)]);
  return html`
    ${textField(query, 'nodeGroup', t('col.group'))}
    ${textField(query, 'taskId', t('dead.task-prefix'))}
    ${isGrouped(query)
      ? nothing
      : field(
          'state',
          t('col.state'),
          choice('state', stateOf(query), [...states, [ANY_STATE, t('filter.any')]]),
        )}
    ${timeFields(query)} ${['by', 'like', 'order'].map((name) => kept(query, name))}
  `;
}

function none({ query }, next) {
  if (next) {
    return emptyNotice(t('dead.none-here'));
  }
  return emptyNotice(t(Object.keys(query).length > 0 ? 'dead.none-found' : 'dead.none'));
}

function found(page, items) {
  return html`${page.may('OPERATE', page.query.nodeGroup) ? allActions(page) : nothing} ${list(page, items)} ${manyActions(page, items)}`;
}

function list(page, items) {
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('dead.died'), sorted: newestFirst(page), cell: (row) => instant(row.diedAt) },
    { name: t('col.task'), cell: jobLink },
    { name: t('col.group'), cell: (row) => groupLink(row.nodeGroup) },
    { name: t('col.planned'), cell: (row) => instant(row.plannedFor) },
    { name: t('dead.attempts'), kind: 'number', cell: (row) => number(row.attempts) },
    { name: t('col.cause'), kind: 'short', cell: whyDead },
    { name: t('col.state'), cell: (row) => html`${badge('dead', row.state)} ${replayBadge(row)}` },
    { name: t('col.actions'), kind: 'actions', cell: (row) => actions(page, row) },
  ];
  if (page.maySome('OPERATE')) {
    const nameOf = (row) => `${row.nodeGroup}/${row.taskId}`;
    columns.unshift(selectColumn(page, items, nameOf, { mayBeChosen: (row) => isReplayable(row) && page.may('OPERATE', row.nodeGroup) }));
  }
  return table({ caption: t('dead.title'), rows: items, columns, key: (row) => row.id });
}

function actions(page, row) {
  return html`<div class="actions">
    <a class="button" href=${link`/dead/${row.id}`} aria-label=${t('dead.why.label', { task: row.taskId })}
      >${t('dead.why')}</a
    >
    ${page.may('OPERATE', row.nodeGroup) ? settleButtons(page, row) : nothing}
  </div>`;
}

function settleButtons(page, row) {
  return html`
    ${isReplayable(row)
      ? button(t('act.replay'), () => replayOne(page, row), { label: t('dead.replay.label', { task: row.taskId }) })
      : nothing}
    ${row.state === 'OPEN' ? discardButton(page, row) : nothing}
  `;
}

function manyActions(page, items) {
  const chosen = chosenOf(page, items).filter(isReplayable);
  return selectionBar(
    chosen,
    button(t('dead.replay-chosen'), () => replayChosen(page, chosen)),
  );
}

function allActions(page) {
  const { like } = page.query;
  const state = stateOf(page.query);
  if (state !== 'OPEN' && state !== ANY_STATE) {
    return nothing;
  }
  return html`<div class="actions">
    ${allButton(page, t('dead.replay-all'), () => (like ? replayLike(page, like) : replayMatching(page)))}
    ${like ? nothing : allButton(page, t('dead.discard-all'), () => discardMatching(page), 'quiet danger')}
  </div>`;
}

async function replayChosen(page, rows) {
  const values = await askToReplay({ n: rows.length });
  if (values) {
    changeInRounds(page, 'replay', rows.length, ofIds(rows, values.params));
  }
}

/** The tracker's changes have no search for those that died of the same: they are replayed by their ids. */
async function replayLike(page, like) {
  const found = await page.act(() => get(withQuery('/dead', { ...filterOf(page.query), like, state: 'OPEN', limit: MOST_LIKE_ONE })));
  if (found) {
    await (found.items.length === 0 ? tell(t('bulk.none')) : replayChosen(page, found.items));
  }
}

const countsOf = (page) => [['/dead/count', { ...filterOf(page.query), state: 'OPEN' }]];

const replayMatching = (page) => changeAll(page, 'REPLAY_DEAD', countsOf(page), askToReplay);

const discardMatching = (page) =>
  changeAll(page, 'DISCARD_DEAD', countsOf(page), ({ n, count, about }) =>
    ask({
      title: t('dead.discard-all.title', { n, count }),
      about,
      text: t('dead.discard-all.text'),
      yes: t('act.discard'),
      danger: true,
    }),
  );

/** Asks whether to replay them and with which parameters: undefined for those of each. */
async function askToReplay({ n, count = number(n), about }) {
  const values = await ask({
    title: t('dead.replay-all.title', { n, count }),
    about,
    text: t('dead.replay-many.text'),
    yes: t('act.replay'),
    fields: paramsField(),
    check: ({ params }) => readParams(params ?? ''),
  });
  const params = readParams(values?.params ?? '');
  return values && { params: Object.keys(params).length > 0 ? params : undefined };
}

function paramsField() {
  return field(
    'replay-params',
    t('dead.params'),
    html`<textarea id="replay-params" name="params" aria-describedby="replay-params-hint"></textarea>
      ${paramsTable('replay-params', '')}`,
    t('dead.params.hint'),
  );
}

/** Rounds of those ids, the first to die first; one that is refused is not sent again. */
function* ofIds(rows, params) {
  let rest = rows.map((row) => row.id).reverse();
  while (rest.length > 0) {
    const ids = rest.slice(0, REPLAYS_AT_ONCE);
    let tried = ids;
    const run = async () => {
      const { items } = await post('/dead/replay', { ids, params });
      tried = items.map((item) => item.id);
      return outcomeOf(items);
    };
    yield { count: ids.length, run };
    rest = rest.filter((id) => !tried.includes(id));
  }
}

const outcomeOf = (items) => ({
  done: items.length,
  refused: items
    .filter(({ status }) => status !== 'REPLAYED' && status !== 'REPLAYED_BEFORE')
    .map(({ id, message }) => ({ name: id, address: link`/dead/${id}`, why: message })),
});
