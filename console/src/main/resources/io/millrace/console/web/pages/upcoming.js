import { html, nothing, svg } from '/console/lib/lit-html/lit-html.js';
import { getTexts } from '../core/api.js';
import { instant, number, timeOfDay } from '../core/format.js';
import { visible } from '../core/names.js';
import { searchForm, textField } from '../core/search.js';
import { t } from '../core/words.js';
import {
  choice,
  emptyNotice,
  field,
  groupLink,
  jobAddress,
  jobLink,
  paging,
  section,
  table,
} from '../core/view.js';

const SPANS = ['15', '60', '180'];
const ROWS = 50;
const ROW = 22;
const NAMES = 260;
const WIDTH = 1_100;
const TOP = 26;
const BARS = 90;
const MINUTE = 60_000;

/** Marks that are closer, in pixels of the timeline, could not be told apart: one stands for them. */
const CLOSEST = 2;

export const upcoming = {
  title: 'upcoming.title',
  question: 'upcoming.question',
  groupIn: 'group',
  every: 15_000,
  rows: { items: (item) => `${item.nodeGroup}/${item.taskId}` },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

function load({ query: { group, contains, minutes = '60', row } }) {
  return getTexts('/upcoming', { group, contains, minutes, first: row, limit: ROWS });
}

function view(page) {
  const { items, complete } = page.data;
  return html`
    ${items.length === 0 ? none(page.query) : found(page)}
    ${complete ? nothing : html`<p class="hint">${t('upcoming.incomplete')}</p>`}
  `;
}

function searchFields(query) {
  const spans = SPANS.map((minutes) => [minutes, t('span.minutes', { n: Number(minutes) })]);
  return html`
    ${textField(query, 'group', t('col.group'))} ${textField(query, 'contains', t('jobs.contains'))}
    ${field('minutes', t('upcoming.span'), choice('minutes', query.minutes ?? '60', spans))}
  `;
}

const none = ({ contains }) => emptyNotice(contains ? t('upcoming.none-named', { text: contains }) : t('upcoming.none'));

function found(page) {
  const { asOf, until, jobs, first, items } = page.data;
  const last = first + items.length;
  const scale = scaleOf(asOf, until);
  return html`
    ${section(
      t('upcoming.timeline'),
      html`<div class="scroll" tabindex="0" role="region" aria-label=${t('upcoming.timeline')}>
          ${perMinute(scale, page.data)} ${timeline(scale, items)}
        </div>
        ${items.some(({ more }) => more) ? html`<p class="hint">${t('upcoming.more')}</p>` : nothing}`,
    )}
    ${section(t('upcoming.list'), list(items))}
    <p class="hint">${t('upcoming.rows', { from: first + 1, to: last, n: jobs })}</p>
    ${paging(page, last < jobs ? String(last) : undefined, 'row')}
  `;
}

/** Where an instant is on the timeline, which is as long as the span that was searched. */
function scaleOf(asOf, until) {
  const begin = new Date(asOf).getTime();
  const length = new Date(until).getTime() - begin;
  return { begin, length, x: (at) => NAMES + ((new Date(at).getTime() - begin) / length) * (WIDTH - NAMES - 8) };
}

/** How many runs of all that was found begin in each minute, over the timeline. */
function perMinute({ begin, x }, { perMinute: counts, more }) {
  const most = Math.max(...counts);
  const atMost = timeOfDay(begin + counts.indexOf(most) * MINUTE);
  const text = t(more ? 'upcoming.busiest.at-least' : 'upcoming.busiest', { n: most, at: atMost });
  const width = Math.max(1, (WIDTH - NAMES) / counts.length - 2);
  return html`<svg class="timeline bars" viewBox="0 0 ${WIDTH} ${BARS}" role="img" aria-label=${text}>
    <text x="0" y="14">${t('upcoming.per-minute')}</text>
    <text class="soft" x="0" y="32">${text}</text>
    ${counts.map((count, i) => {
      const height = count === 0 ? 0 : Math.max(2, (count / most) * (BARS - 4));
      return svg`<rect class="fire" x=${x(begin + i * MINUTE)} y=${BARS - height} width=${width} height=${height}><title>${timeOfDay(begin + i * MINUTE)} ${number(count)}</title></rect>`;
    })}
  </svg>`;
}

/** A row for each job, a mark for each fire time. The table below says the same in words. */
function timeline({ begin, length, x }, rows) {
  const height = TOP + rows.length * ROW + 4;
  return html`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label=${t('upcoming.timeline')}>
    ${hours(begin, length).map(
      (at) =>
        svg`<line x1=${x(at)} x2=${x(at)} y1=${TOP - 6} y2=${height}></line>
          <text class="soft" x=${x(at)} y="14" text-anchor="middle">${timeOfDay(at)}</text>`,
    )}
    ${rows.map((item, i) => fires(item, TOP + i * ROW, x))}
  </svg>`;
}

function fires(item, y, x) {
  return svg`<a href=${jobAddress(item)}>
      <title>${visible(`${item.nodeGroup}/${item.taskId}`)} ${item.scheduleInWords ?? ''}</title>
      <text x="0" y=${y + 14}>${shortened(visible(item.taskId))}</text>
    </a>
    ${apart(item.fires.map((fire) => ({ fire, at: x(fire) }))).map(
      ({ fire, at }) =>
        svg`<circle class=${item.recurring ? 'fire' : 'once'} cx=${at} cy=${y + 10} r="4"><title>${timeOfDay(fire, { seconds: true })}</title></circle>`,
    )}
    ${item.more ? goesOn(x(item.fires.at(-1)), y + 10) : nothing}`;
}

/**
 * The marks that can be told apart.
 *
 * @param {{ fire: string, at: number }[]} marks by their places
 */
export function apart(marks) {
  let last = -CLOSEST;
  return marks.filter(({ at }) => {
    const isApart = at - last >= CLOSEST;
    last = isApart ? at : last;
    return isApart;
  });
}

/** A dashed line to the end of the span: there are more fire times than those that are drawn. */
function goesOn(from, y) {
  return svg`<line class="goes-on" x1=${from + 8} x2=${WIDTH - 22} y1=${y} y2=${y}>
      <title>${t('upcoming.goes-on')}</title>
    </line>
    <text class="soft" x=${WIDTH - 18} y=${y + 3}>…</text>`;
}

function shortened(name) {
  return name.length > 36 ? `${name.slice(0, 35)}…` : name;
}

/** Some whole minutes of the span, for the scale. */
function hours(begin, length) {
  const step = length > 90 * 60_000 ? 30 * 60_000 : length > 30 * 60_000 ? 10 * 60_000 : 3 * 60_000;
  const marks = [];
  for (let at = Math.ceil(begin / step) * step; at < begin + length; at += step) {
    marks.push(new Date(at).toISOString());
  }
  return marks;
}

function list(items) {
  return table({
    caption: t('upcoming.list'),
    rows: items,
    key: (item) => `${item.nodeGroup}/${item.taskId}`,
    columns: [
      { name: t('upcoming.first'), cell: (item) => instant(item.fires[0]) },
      { name: t('col.task'), cell: jobLink },
      { name: t('col.group'), cell: (item) => groupLink(item.nodeGroup) },
      { name: t('col.schedule'), cell: (item) => item.scheduleInWords ?? t('upcoming.once') },
      {
        name: t('upcoming.count'),
        kind: 'number',
        cell: (item) =>
          item.more
            ? html`${t('at-least', { n: item.fires.length })} <small>${t('upcoming.goes-on')}</small>`
            : number(item.fires.length),
      },
      { name: t('col.priority'), kind: 'number', cell: (item) => item.priority },
    ],
  });
}
