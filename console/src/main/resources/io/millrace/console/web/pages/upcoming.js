import { html, nothing, svg } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { instant, number } from '../core/format.js';
import { visible } from '../core/names.js';
import { textField } from '../core/search.js';
import { currentLanguage, locale, t } from '../core/words.js';
import { choice, emptyNotice, field, groupLink, jobLink, link, section, searchForm, table } from '../core/view.js';

const SPANS = ['15', '60', '180'];
const ROWS = 40;
const ROW = 22;
const NAMES = 260;
const WIDTH = 1_100;
const TOP = 26;

export const upcoming = {
  title: 'upcoming.title',
  question: 'upcoming.question',
  every: 15_000,
  rows: { items: (item) => `${item.nodeGroup}/${item.taskId}` },
  load: ({ query }) =>
    get(
      withQuery('/upcoming', {
        group: query.group,
        minutes: query.minutes ?? '60',
        language: currentLanguage(),
      }),
    ),
  view,
};

function view(page) {
  const { items, complete } = page.data;
  return html`
    ${searchForm(
      page,
      html`${textField(page.query, 'group', t('col.group'))}
      ${field(
        'minutes',
        t('upcoming.span'),
        choice(
          'minutes',
          page.query.minutes ?? '60',
          SPANS.map((minutes) => [minutes, t('span.minutes', { n: Number(minutes) })]),
        ),
      )}`,
    )}
    ${items.length === 0 ? emptyNotice(t('upcoming.none')) : found(page.data)}
    ${complete ? nothing : html`<p class="hint">${t('upcoming.incomplete')}</p>`}
  `;
}

function found(data) {
  return html`
    ${section(
      t('upcoming.timeline'),
      html`<div class="scroll" tabindex="0" role="region" aria-label=${t('upcoming.timeline')}>${timeline(data)}</div>
        ${data.items.length > ROWS
          ? html`<p class="hint">${t('upcoming.first-rows', { n: ROWS, count: data.items.length })}</p>`
          : nothing}`,
    )}
    ${section(t('upcoming.list'), list(data.items))}
  `;
}

/** A row for each job, a mark for each fire time. The table below says the same in words. */
function timeline({ asOf, until, items }) {
  const begin = new Date(asOf).getTime();
  const length = new Date(until).getTime() - begin;
  const x = (at) => NAMES + ((new Date(at).getTime() - begin) / length) * (WIDTH - NAMES - 8);
  const rows = items.slice(0, ROWS);
  const height = TOP + rows.length * ROW + 4;
  return html`<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label=${t('upcoming.timeline')}>
    ${hours(begin, length).map(
      (at) =>
        svg`<line x1=${x(at)} x2=${x(at)} y1=${TOP - 6} y2=${height}></line>
          <text class="soft" x=${x(at)} y="14" text-anchor="middle">${clock(at)}</text>`,
    )}
    ${rows.map(
      (item, i) =>
        svg`<a href=${link`/jobs/${item.nodeGroup}/${item.taskId}`}>
            <title>${visible(`${item.nodeGroup}/${item.taskId}`)} ${item.scheduleInWords ?? ''}</title>
            <text x="0" y=${TOP + i * ROW + 14}>${shortened(visible(item.taskId))}</text>
          </a>
          ${item.fires.map(
            (fire) =>
              svg`<circle class=${item.recurring ? 'fire' : 'once'} cx=${x(fire)} cy=${TOP + i * ROW + 10} r="4">
                <title>${clock(fire, true)}</title>
              </circle>`,
          )}`,
    )}
  </svg>`;
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

function clock(at, withSeconds = false) {
  return new Date(at).toLocaleTimeString(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds ? { second: '2-digit' } : {}),
  });
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
          item.more ? t('at-least', { n: item.fires.length }) : number(item.fires.length),
      },
      { name: t('col.priority'), kind: 'number', cell: (item) => item.priority },
    ],
  });
}
