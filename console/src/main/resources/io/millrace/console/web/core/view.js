/** What several pages are made of. What a user typed is only ever put in as text. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { instantOf } from './format.js';
import { GONE } from './held.js';
import { visible } from './names.js';
import { t, word } from './words.js';

/** The address of a page: link`/jobs/${group}/${task}`. */
export function link(texts, ...values) {
  return `#${texts.reduce((whole, text, i) => whole + encodeURIComponent(values[i - 1]) + text)}`;
}

/** The address of a page with a query. */
export function linkWith(page, values) {
  const query = new URLSearchParams(/** @type {[string, string][]} */ (Object.entries(values).filter(([, value]) => value)));
  return query.size === 0 ? `#${page}` : `#${page}?${query}`;
}

/** A name, apart from the direction in which the text around it is read. */
export const isolated = (text) => html`<bdi>${visible(text)}</bdi>`;

/** The job of a row; of a part of a run that was split, whose task id is # and its batch, that batch. */
export const jobLink = (job) => html`<a href=${jobAddress(job)} title=${batchOf(job) ? t('part.of-batch') : nothing}>${isolated(job.taskId)}</a>`;

/** The page of a job; of the parts of a run, which have no job of their own, that of the run. */
export function jobAddress(job) {
  const batch = batchOf(job);
  return batch ? link`/batches/${batch}` : link`/jobs/${job.nodeGroup}/${job.taskId}`;
}

const batchOf = ({ taskId }) => /^#(\d+)$/.exec(taskId)?.[1];

export const groupLink = (group) => html`<a href=${linkWith('/jobs', { group })}>${isolated(group)}</a>`;

export const workerLink = (id, group) =>
  id
    ? html`<a href=${linkWith(`/workers/${encodeURIComponent(id)}`, { group })} class="id" title=${visible(id)}>${isolated(shortId(id))}</a>`
    : '–';

/** The beginning of a generated id; other ids unchanged. */
export function shortId(id) {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id) ? id.slice(0, 8) : id;
}

/** A state, with a colour besides the word. */
export function badge(kind, constant) {
  return html`<span class="badge" data-tone=${TONES[constant] ?? 'calm'}>${word(kind, constant)}</span>`;
}

const TONES = {
  ACTIVE: 'good',
  SUCCEEDED: 'good',
  EXECUTING: 'busy',
  DUE: 'busy',
  RETRIED: 'busy',
  PAUSED: 'warn',
  HELD: 'warn',
  SKIPPED: 'warn',
  CANCELLED: 'warn',
  RESCUED: 'warn',
  POSTPONED: 'warn',
  FAILED: 'bad',
  DEAD: 'bad',
  OPEN: 'bad',
  DEFECT: 'bad',
  REPLAYED: 'good',
};

/**
 * A table; on a phone each row is a block in which the cells have the names of their columns. A row that is there again after a refresh stays the same element,
 * wherever it stands then: the focus, and what the pointer is on, do not go over to another row.
 *
 * @param key what tells a row from the others
 * @param columns of { name, cell(row), kind, sorted }: the kind is a class such as "number"; the name of actions is only heard;
 *     sorted is how the list can be sorted by the column: { page, up, down, order }, which are the names of the orders, '' for that of the
 *     list without one, and the present order if it is not the one in the address
 */
export function table({ caption, columns, rows, key, empty }) {
  if (rows.length === 0) {
    return emptyNotice(empty);
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(head)}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          rows,
          unrepeated(key),
          (row) =>
            html`<tr data-key=${key(row)} data-gone=${/** @type {any} */ (row)[GONE] ? '' : nothing}>
              ${columns.map((column) => html`<td class=${column.kind ?? ''} data-label=${labelOf(column)}>${column.cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function head({ name, kind = '', sorted }) {
  if (!sorted) {
    return html`<th scope="col" class=${kind}>${name}</th>`;
  }
  const { page, up, down, order = page.query.order ?? '' } = sorted;
  const [isUp, isDown] = [order === up, order === down];
  const next = isUp ? (down ?? '') : isDown ? (up ?? '') : (up ?? down);
  const sort = () => page.search({ ...page.query, after: '', order: next });
  return html`<th scope="col" class=${kind} aria-sort=${isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
    <button type="button" class="quiet" title=${t(isUp || isDown ? 'order.turn' : 'order.by')} @click=${sort}>
      ${name} <span aria-hidden="true">${isUp ? '▲' : isDown ? '▼' : '↕'}</span>
    </button>
  </th>`;
}

/** How a list can be sorted that has the newest first. */
export const newestFirst = (page) => ({ page, up: 'OLDEST_FIRST', down: '' });

/** How a list can be sorted that has the oldest first. */
export const oldestFirst = (page) => ({ page, up: '', down: 'NEWEST_FIRST' });

/** What stands before a cell where columns have no heads; boxes to tick and actions speak for themselves. */
const labelOf = ({ name, kind }) => (typeof name === 'string' && kind !== 'actions' ? name : nothing);

/** The keys, and of those that are equal each with its number: the same key twice would mix up the rows. */
function unrepeated(key) {
  const seen = new Map();
  return (row) => {
    const name = key(row);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name} ${times}`;
  };
}

/** What is shown when its summary is clicked; the page remembers of which ids it is open. */
export function details(page, id, summary, content) {
  const opened = page.ui.opened ?? new Set();
  const remember = (event) => {
    const ids = new Set(opened);
    ids[event.currentTarget.open ? 'add' : 'delete'](id);
    page.set({ opened: ids });
  };
  return html`<details ?open=${opened.has(id)} @toggle=${remember}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** What an empty place says: what it would show, and what to do first. */
export function emptyNotice(text) {
  return html`<p class="empty">${text}</p>`;
}

/** Names and values, one under the other. */
export function facts(pairs) {
  return html`<dl class="facts">
    ${pairs
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(
        ([name, value]) => html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
      )}
  </dl>`;
}

export function section(heading, content, extra = nothing) {
  return html`<section class="card">
    <header><h2>${heading}</h2>${extra}</header>
    ${content}
  </section>`;
}

/** One large number. */
export function tile(name, value, note = nothing, tone = 'calm') {
  return html`<div class="tile" data-tone=${tone}>
    <dt>${name}</dt>
    <dd><strong>${value}</strong><small>${note}</small></dd>
  </div>`;
}

export function button(text, onClick, { tone = '', disabled = false, label } = {}) {
  return html`<button
    type="button"
    class=${tone}
    ?disabled=${disabled}
    aria-label=${label ?? nothing}
    @click=${onClick}
  >
    ${text}
  </button>`;
}

/** A labelled field. The control is given the id. */
export function field(id, name, control, hint = nothing) {
  return html`<div class="field">
    <label for=${id}>${name}</label>
    ${control}
    ${hint === nothing ? nothing : html`<small id="${id}-hint">${hint}</small>`}
  </div>`;
}

export function choice(id, value, options, onChange) {
  return html`<select id=${id} name=${id} @change=${onChange ?? (() => {})}>
    ${options.map(
      ([constant, text]) => html`<option value=${constant} ?selected=${constant === value}>${text}</option>`,
    )}
  </select>`;
}

/**
 * What the fields of a form hold, by name; those left empty are left out. Blanks count in text of several lines, and a date with a
 * time is the instant that it means.
 */
export function valuesOf(form) {
  /** @type {Values} */
  const values = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') {
      values[name] = valueOf(form.elements.namedItem(name), value);
    }
  }
  return values;
}

function valueOf(control, value) {
  if (control instanceof HTMLTextAreaElement) {
    return value;
  }
  return control.type === 'datetime-local' ? instantOf(value) : value.trim();
}

/** By the place of a page of a list: the place of the page before it, as far as this visit has seen. */
const former = new Map();
const FORMER_KEPT = 300;

/**
 * Back to the first page and to the one before, and on to the next: lists are read from a place onwards.
 *
 * @param name what the place is called in the query
 */
export function paging(page, next, name = 'after') {
  const place = page.query[name];
  if (!place && !next) {
    return nothing;
  }
  const at = (other) => linkWith(page.address, { ...page.query, [name]: other });
  // While a page is on its way, the rows of the one before are still shown, whose next it is.
  if (next && next !== place) {
    former.set(at(next), place ?? '');
    if (former.size > FORMER_KEPT) {
      former.delete(former.keys().next().value);
    }
  }
  return html`<nav class="paging" aria-label=${t('paging')}>
    ${place ? html`<a href=${at('')}>${t('paging.first')}</a>` : nothing}
    ${place && former.get(at(place)) ? html`<a href=${at(former.get(at(place)))}>${t('paging.previous')}</a>` : nothing}
    ${next ? html`<a href=${at(next)}>${t('paging.next')}</a>` : html`<span>${t('paging.end')}</span>`}
  </nav>`;
}

/** A value that is not shown at once, and is scrolled. */
const isLong = (value) => value.length > 1_000 || value.split('\n').length > 15;

/** Parameters, as names and values in the order of their names. */
export function params(values) {
  const names = Object.keys(values ?? {}).sort();
  return names.length === 0
    ? html`<span class="muted">${t('params.none')}</span>`
    : html`<dl class="params">
        ${names.map(
          (name) => html`<div>
            <dt>${name}</dt>
            <dd tabindex=${isLong(values[name]) ? 0 : nothing}>${values[name]}</dd>
          </div>`,
        )}
      </dl>`;
}

/**
 * Reads lines such as name=value, or an object of JSON whose values are texts, which can say all that lines cannot: values of
 * several lines above all. Throws what is wrong, and with which line.
 */
export function readParams(text) {
  return text.trimStart().startsWith('{') ? readObject(text) : readLines(text);
}

function readObject(text) {
  let values;
  try {
    values = JSON.parse(text);
  } catch (failure) {
    throw new Error(t('params.bad-json', { why: failure.message }));
  }
  const wrong = Object.keys(values).find((name) => typeof values[name] !== 'string');
  if (wrong !== undefined) {
    throw new Error(t('params.no-text', { name: wrong }));
  }
  return values;
}

function readLines(text) {
  /** @type {Record<string, string>} */
  const values = {};
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') {
      return;
    }
    const at = line.indexOf('=');
    if (at < 1) {
      throw new Error(t('params.bad-line', { n: i + 1 }));
    }
    values[line.slice(0, at).trim()] = line.slice(at + 1);
  });
  return values;
}

/** The opposite of readParams: lines, unless some value cannot be told by a line; then JSON. */
export function writeParams(values) {
  const sorted = Object.fromEntries(Object.entries(values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  const lines = Object.entries(sorted).map(([name, value]) => `${name}=${value}`).join('\n');
  return isToldByLines(sorted, lines) ? lines : JSON.stringify(sorted, null, 2);
}

/** A field of text makes every kind of line break the same one. */
function isToldByLines(values, lines) {
  if (/[\r\u2028\u2029]/.test(lines) || lines.trimStart().startsWith('{')) {
    return false;
  }
  try {
    const read = readLines(lines);
    const names = Object.keys(values);
    return names.length === Object.keys(read).length && names.every((name) => read[name] === values[name]);
  } catch {
    return false;
  }
}
