import { html } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { number, span, timeOfDay } from '../core/format.js';
import { searchForm, textField } from '../core/search.js';
import { formatOf, t } from '../core/words.js';
import { choice, emptyNotice, field, linkWith, section } from '../core/view.js';
import { localOf, onTheClock } from '../core/zone.js';
import { OUTCOMES, endsOf } from './overview.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = ['7', '28'];

const sum = ({ parts }, ...names) => parts.reduce((total, part) => names.reduce((all, name) => all + Number(/** @type {any} */ (part)[name]), total), 0);
const late = ({ parts }) => Math.max(0, ...parts.map(({ lateness }) => Number(lateness.maxMillis)));
const FAILURES = ['failed', 'dead'];
const failed = (cell) => sum(cell, ...FAILURES);

/** What colours a cell, where it leads, and the limits of the levels, if the highest value does not make them. */
const MEASURES = {
  ended: { tone: 'accent', of: (cell) => sum(cell, ...OUTCOMES), leads: ['/history', endsOf(...OUTCOMES)] },
  failures: { tone: 'bad', of: failed, leads: ['/history', endsOf(...FAILURES)] },
  share: {
    tone: 'bad',
    of: (cell) => failed(cell) / (sum(cell, 'succeeded', 'failed', 'dead') || 1),
    limits: [0.01, 0.05, 0.2],
    style: 'percent',
    leads: ['/history', endsOf(...FAILURES)],
  },
  late: { tone: 'warn', of: (cell) => late(cell) / 1_000, limits: [0.1, 1, 10], leads: ['/timeline', {}] },
};

export const week = {
  title: 'week.title',
  question: 'week.question',
  groupIn: 'group',
  every: 60_000,
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

const iso = (at) => new Date(at).toISOString();
const daysOf = ({ days }) => DAYS.find((known) => known === days) ?? DAYS[0];

/** A day early: the zone may be changed later. */
const beginOf = (days, at) => at - (at % HOUR) - days * DAY - DAY;

async function load({ query }) {
  const at = now();
  const { group } = query;
  return { at, ...(await get(withQuery('/series/hours', { group, from: iso(beginOf(daysOf(query), at)) }))) };
}

/**
 * The hours of the last days by the clocks of the zone. An hour that they leave out has no cell, one that they show twice has one.
 *
 * @return cells by day and hour, such as 2026-11-29T09
 */
export function gridOf(points, days, at) {
  const counted = new Map(points.map((point) => [Date.parse(point.at), point.happened]));
  const first = iso(Date.parse(localOf(at).slice(0, 10)) - (days - 1) * DAY).slice(0, 10);
  const cells = new Map();
  for (let from = beginOf(days, at); from <= at; from += HOUR) {
    const key = localOf(from).slice(0, 13);
    if (key > first) {
      const cell = cells.get(key) ?? { from, parts: [] };
      const part = counted.get(from);
      cells.set(key, { ...cell, to: from + HOUR, parts: part ? [...cell.parts, part] : cell.parts });
    }
  }
  return cells;
}

const measureOf = ({ show }) => (show && show in MEASURES ? show : 'ended');

function searchFields(query) {
  return html`
    ${textField(query, 'group', t('col.group'))}
    ${field('days', t('overview.span'), choice('days', daysOf(query), DAYS.map((n) => [n, t('span.days', { n })])))}
    ${field('show', t('week.show'), choice('show', measureOf(query), Object.keys(MEASURES).map((name) => [name, t(`week.${name}`)])))}
  `;
}

function view(page) {
  const { query, data } = page;
  const show = measureOf(query);
  return data.points.length === 0 ? emptyNotice(t('week.none')) : section(t(`week.${show}`), map(query, data, MEASURES[show]));
}

function map(query, { points, at }, measure) {
  const cells = gridOf(points, daysOf(query), at);
  const all = [...cells.values()];
  const days = [...new Set([...cells.keys()].map((key) => key.slice(0, 10)))];
  const day = formatOf(Intl.DateTimeFormat, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
  const short = (value) => formatOf(Intl.NumberFormat, { notation: 'compact', style: measure.style }).format(value);
  const top = Math.max(8, ...all.map(measure.of));
  const limits = measure.limits ?? [8, 4, 2].map((part) => Math.ceil(top / part));
  const levels = ['0', ...limits.map((limit) => `≤ ${short(limit)}`), `> ${short(limits[2])}`];
  const mark = (cell) => {
    const value = measure.of(cell);
    const text = value ? short(value) : '';
    const words = wordsOf(cell);
    const [page, more] = measure.leads;
    return html`<a
      class="heat"
      data-level=${value && 1 + limits.filter((limit) => value > limit).length}
      href=${linkWith(page, { group: query.group, ...more, from: iso(cell.from), to: iso(cell.to) })}
      title=${words}
      aria-label=${`${text} ${words}`}
      tabindex=${cell === all.at(-1) ? 0 : -1}
      >${text}</a
    >`;
  };
  const row = (_, i) => {
    const hours = days.map((name) => cells.get(`${name}T${String(i).padStart(2, '0')}`));
    return html`<tr><th scope="row">${timeOfDay(hours.find(Boolean)?.from ?? 0)}</th>${hours.map((cell) => html`<td>${cell && mark(cell)}</td>`)}</tr>`;
  };
  return html`<div class="week scroll" .style=${`--tone: var(--${measure.tone})`}>
    <ul class="legend">${levels.map((text, level) => html`<li><span class="heat" data-level=${level}></span> ${text}</li>`)}</ul>
    <table data-days=${days.length} @keydown=${move}>
      <thead><tr><td></td>${days.map((name) => html`<th scope="col">${day.format(Date.parse(name))}</th>`)}</tr></thead>
      <tbody>${Array.from({ length: 24 }, row)}</tbody>
    </table>
  </div>`;
}

const wordsOf = (cell) =>
  t('week.cell', {
    day: onTheClock(cell.from, { weekday: 'short', month: 'short', day: 'numeric' }),
    hour: `${timeOfDay(cell.from)}–${timeOfDay(cell.to)}${cell.to - cell.from > HOUR ? t('week.twice') : ''}`,
    ended: number(sum(cell, ...OUTCOMES)),
    failed: number(sum(cell, 'failed')),
    dead: number(sum(cell, 'dead')),
    late: span(late(cell)),
  });

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** All cells are one stop for the Tab key. */
function move(event) {
  const step = STEPS[event.key];
  const cell = event.target.closest('td');
  if (step) {
    event.preventDefault();
    event.currentTarget.rows[cell.parentElement.rowIndex + step[0]]?.cells[cell.cellIndex + step[1]]?.querySelector('a')?.focus();
  }
}
