import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, post, withQuery } from '../core/api.js';
import { ask } from '../core/dialog.js';
import { away, instant, number } from '../core/format.js';
import { kept, searchForm, textField } from '../core/search.js';
import { t } from '../core/words.js';
import { button, emptyNotice, groupLink, paging, table, workerLink } from '../core/view.js';

const PAGE = 50;

export const workers = {
  title: 'workers.title',
  question: 'workers.question',
  groupIn: 'group',
  every: 3_000,
  rows: { items: (row) => `${row.group}/${row.id}` },
  load: ({ query: { group, contains, order, after } }) => get(withQuery('/workers', { group, contains, order, after, limit: PAGE })),
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

const searchFields = (query) => html`
  ${textField(query, 'group', t('col.group'))} ${textField(query, 'contains', t('jobs.contains'), undefined, { suggests: false })}
  ${kept(query, 'order')}
`;

function view(page) {
  const { items, next } = page.data;
  return html`
    ${items.length === 0 ? none(page.query) : list(page, items)} ${paging(page, next)}
  `;
}

function none({ group, contains }) {
  if (contains) {
    return emptyNotice(t('jobs.contains.none'));
  }
  return emptyNotice(
    html`${group ? t('workers.none-found', { group }) : t('workers.none')}
      <code>millrace worker --node-group ${group ?? 'orders'} --slots 16</code>`,
  );
}

function list(page, items) {
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('col.worker'), sorted: { page, up: '', down: 'NAME_DESCENDING' }, cell: (row) => workerLink(row.id, row.group) },
    { name: t('col.group'), cell: (row) => groupLink(row.group) },
    { name: t('col.state'), cell: workerState },
    { name: t('workers.slots'), sorted: { page, up: 'FREE_SLOTS', down: 'USED_SLOTS' }, cell: (row) => slotsMeter(row, row.id) },
    { name: t('workers.held'), kind: 'number', cell: (row) => number(row.held) },
    { name: t('col.address'), cell: (row) => row.address },
    { name: t('workers.software'), cell: (row) => row.software ?? '–' },
    { name: t('workers.since'), cell: (row) => instant(row.connectedSince, { millis: false }) },
    { name: t('workers.last-pull'), sorted: { page, down: 'LONGEST_SILENT' }, cell: (row) => away(row.lastPull) },
  ];
  if (page.maySome('OPERATE')) {
    const cell = (row) => (page.may('OPERATE', row.group) ? drainButton(page, row) : nothing);
    columns.push({ name: t('col.actions'), kind: 'actions', cell });
  }
  const key = (row) => `${row.group}/${row.id}`;
  return table({ caption: t('workers.title'), rows: items, columns, key });
}

/** A count that a worker may leave unsaid. */
export function countOf(value) {
  return value === undefined || value === null ? '–' : number(value);
}

/** Whether it is there, and whether it gets work. */
export function workerState({ connected, draining }) {
  const [state, tone] = connected ? (draining ? ['draining', 'warn'] : ['connected', 'good']) : ['gone', 'bad'];
  return html`<span class="badge" data-tone=${tone}>${t(`workers.state.${state}`)}</span>`;
}

/** How many of the slots are taken, as a bar and in digits. */
export function slotsMeter({ slots, slotsInUse }, name) {
  if (!slots || slotsInUse === undefined || slotsInUse === null) {
    return '–';
  }
  return html`<meter
      min="0"
      max=${slots}
      low=${slots - 0.5}
      optimum="0"
      value=${slotsInUse}
      aria-label=${t('workers.slots-of', { name })}
    ></meter>
    ${number(slotsInUse)} / ${number(slots)}`;
}

/** Drains a worker, or gives one work again that drains. */
export function drainButton(page, row) {
  return row.draining
    ? button(t('workers.undrain'), () => undrain(page, row), {
        label: t('workers.undrain.label', { worker: row.id }),
      })
    : button(t('workers.drain'), () => drain(page, row), {
        tone: 'danger',
        label: t('workers.drain.label', { worker: row.id }),
      });
}

async function drain(page, row) {
  const names = { worker: row.id, group: row.group };
  const yes = await ask({
    title: t('workers.drain.title', names),
    text: t('workers.drain.text', { n: row.held, ...names }),
    yes: t('workers.drain'),
    danger: true,
  });
  if (yes) {
    await page.act(() => change(row, 'drain'), t('workers.drain.done', names));
  }
}

async function undrain(page, row) {
  const names = { worker: row.id, group: row.group };
  const yes = await ask({
    title: t('workers.undrain.title', names),
    text: t('workers.undrain.text', names),
    yes: t('workers.undrain'),
  });
  if (yes) {
    await page.act(() => change(row, 'undrain'), t('workers.undrain.done', names));
  }
}

function change({ id, group }, what) {
  return post(/** @type {any} */ (withQuery(`${path`/workers/${id}`}/${what}`, { group })));
}
