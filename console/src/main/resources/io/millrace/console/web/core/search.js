/** What searches have in common: fields for text and time, and the spans that are asked for most. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { now } from './clock.js';
import { fieldOf, moment } from './format.js';
import { suggestions } from './suggest.js';
import { t, word, wordsFor } from './words.js';
import { button, field, linkWith, valuesOf } from './view.js';
import { savedSearches } from './saved.js';
import { atLocal, localOf } from './zone.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A field for text; it suggests what there is, unless it is said not to. */
export function textField(query, name, label, hint, { required = false, readonly = false, suggests = true } = {}) {
  const { list, onFocus, onInput, names } = suggestions(suggests ? name : '');
  return field(
    name,
    label,
    html`<input
        id=${name}
        name=${name}
        list=${list}
        .value=${query[name] ?? ''}
        ?required=${required}
        ?readonly=${readonly}
        autocomplete="off"
        aria-describedby=${hint ? `${name}-hint` : nothing}
        @focus=${onFocus}
        @input=${onInput}
      />${names}`,
    hint,
  );
}

/** What searches ask for, by its name in the query. */
const CONDITIONS = {
  group: 'col.group',
  nodeGroup: 'col.group',
  contains: 'jobs.contains',
  prefix: 'waiting.prefix',
  task: 'col.task',
  taskId: 'dead.task-prefix',
  handler: 'col.handler',
  owner: 'job.declared-by',
  worker: 'col.worker',
  state: 'col.state',
  from: 'history.from',
  to: 'history.to',
};

/** What a search is for; empty if it is for everything. */
export const conditionsOf = (query) =>
  Object.entries(CONDITIONS)
    .filter(([name]) => query[name])
    .map(([name, label]) => `${t(label)} ${conditionOf(name, query[name])}`)
    .join(' · ');

/** The same in a sentence. It is said before all that match are changed. */
export function inWords(query) {
  const conditions = conditionsOf(query);
  return conditions === '' ? t('bulk.everything') : t('bulk.those', { conditions });
}

function conditionOf(name, value) {
  if (name === 'state') {
    return wordsFor('state', value) ?? word('dead', value);
  }
  return name === 'from' || name === 'to' ? moment(value) : value;
}

/** What another search keeps of this one. */
export const kept = (query, name) =>
  query[name] ? html`<input type="hidden" name=${name} .value=${query[name]} />` : nothing;

/** A form whose fields become the query of the page, so that a search can be kept as a link. */
export function searchForm(page, fields) {
  const search = (event) => {
    event.preventDefault();
    page.search(valuesOf(event.currentTarget));
  };
  return html`<form class="search" role="search" @submit=${search}>
    ${fields}
    <button type="submit">${t('search')}</button>
    ${Object.keys(page.query).length > 0
      ? button(t('search.clear'), () => page.search({}), { tone: 'quiet' })
      : nothing}
  </form>
  ${page.address ? savedSearches(page) : nothing}`;
}

/** From when to when, by the clocks of the chosen zone. */
export function timeFields(query) {
  const time = (name) =>
    field(
      name,
      t(`history.${name}`),
      html`<input id=${name} name=${name} type="datetime-local" .value=${fieldOf(query[name], 16)} />`,
    );
  return html`${time('from')} ${time('to')}`;
}

/** What was searched for stands still while it is read. */
export function unlessSearched(millis) {
  return ({ query }) => (Object.keys(query).length > 0 ? 0 : millis);
}

/** Links to the spans of time that are asked for most, with what else is searched for. */
export function quickRanges(page) {
  /** @type {(name: string, from: string, to?: string) => TemplateResult} */
  const range = (name, from, to) =>
    html`<a href=${linkWith(page.address, { ...page.query, after: '', from, to: to ?? '' })}
      >${t(`history.${name}`)}</a
    >`;
  return html`<nav class="actions" aria-label=${t('history.ranges')}>
    ${range('last-hour', ago(60))} ${range('last-night', lastNight().from, lastNight().to)}
    ${range('today', timeOfDay(0))} ${range('last-day', ago(24 * 60))}
  </nav>`;
}

function ago(minutes) {
  return new Date((Math.floor(now() / MINUTE) - minutes) * MINUTE).toISOString();
}

/** From six in the evening to eight in the morning, by the clocks of the chosen zone. */
export function lastNight() {
  return { from: timeOfDay(18, -1), to: timeOfDay(8) };
}

function timeOfDay(hour, days = 0) {
  const today = localOf(now()).slice(0, 10);
  const day = new Date(Date.parse(`${today}T00:00Z`) + days * DAY).toISOString().slice(0, 10);
  return new Date(atLocal(`${day}T${String(hour).padStart(2, '0')}:00`)).toISOString();
}
