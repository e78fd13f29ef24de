/** The fields of the form of a job. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { fieldOf } from './format.js';
import { shortSpan } from './job-values.js';
import { paramsTable } from './params-table.js';
import { textField } from './search.js';
import { choice, field, writeParams } from './view.js';
import { t, word } from './words.js';
import { shownZone } from './zone.js';

/** The kinds of schedule, each of which is a field of a job's schedule. */
export const KINDS = ['cron', 'every', 'fixedDelay', 'at', 'after', 'now'];
const CRON_FIELDS = ['second', 'minute', 'hour', 'day', 'month', 'weekday', 'year'];
const EXAMPLES = ['0 0/5 * * * ?', '0 0 * * * ?', '0 30 2 * * ?', '0 0 9 ? * MON-FRI', '0 0 6 1 * ?', '0 0 18 L * ?'];

/**
 * What the job is.
 *
 * @param isEdit whether its key stays as it is
 */
export function what(job, isEdit) {
  return html`
    <div class="pair">
      ${textField(job, 'nodeGroup', t('col.group'), t('submit.group.hint'), { required: true, readonly: isEdit })}
      ${field(
        'taskId',
        t('submit.task'),
        html`<input id="taskId" name="taskId" required ?readonly=${isEdit} .value=${job.taskId} />`,
        t('submit.task.hint'),
      )}
      ${textField(job, 'handler', t('col.handler'), t('submit.handler.hint'))}
      ${textField({ on: job.on?.join(' ') }, 'on', t('job.labels'), t('submit.on.hint'))}
    </div>
    ${field(
      'params',
      t('params'),
      html`<textarea id="params" name="params" spellcheck="false" .value=${writeParams(job.params)}></textarea>
        ${paramsTable('params', writeParams(job.params))}`,
      t('params.hint'),
    )}
    ${isEdit
      ? nothing
      : html`<label class="choices"
          ><span><input type="checkbox" name="replaceExisting" value="yes" /> ${t('submit.replace')}</span></label
        >`}
  `;
}

/** When it runs: the fields of a schedule of this kind. */
export function when(page, job, kind) {
  return html`
    <fieldset>
      <legend class="unseen">${t('submit.when')}</legend>
      <div class="choices">
        ${KINDS.map(
          (other) =>
            html`<label
              ><input
                type="radio"
                name="kind"
                value=${other}
                .checked=${other === kind}
                @change=${() => page.set({ kind: other })}
              />
              ${t(`submit.kind.${other}`)}</label
            >`,
        )}
      </div>
    </fieldset>
    ${kind === 'cron' ? cron(page, job.schedule) : nothing}
    ${kind === 'every' || kind === 'fixedDelay' ? repeat(kind, job.schedule) : nothing}
    ${kind === 'at'
      ? field('at', t('submit.at'), moment('at', job.schedule.at, { required: true }), t('submit.local-time', { zone: shownZone() }))
      : nothing}
    ${kind === 'after' ? field('after', t('submit.after'), span('after', ''), t('submit.span.hint')) : nothing}
  `;
}

function cron(page, schedule) {
  return html`
    <div class="pair">
      ${field(
        'cron',
        t('submit.cron'),
        html`<input
          id="cron"
          name="cron"
          required
          spellcheck="false"
          autocomplete="off"
          aria-describedby="cron-hint"
          .value=${schedule.cron ?? '0 0/5 * * * ?'}
        />`,
        cronGuide(page.ui.cron ?? schedule.cron ?? '0 0/5 * * * ?'),
      )}
      ${field(
        'zone',
        t('submit.zone'),
        html`<input id="zone" name="zone" list="zones" autocomplete="off" .value=${schedule.zone ?? ''} />
          <datalist id="zones">
            ${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}></option>`)}
          </datalist>`,
        t('submit.zone.hint'),
      )}
    </div>
    <div class="actions" role="group" aria-label=${t('submit.examples')}>
      <span class="muted">${t('submit.examples')}</span>
      ${EXAMPLES.map(
        (example, i) =>
          html`<button type="button" title=${example} @click=${() => fill('cron', example)}>
            ${t(`submit.example.${i + 1}`)}
          </button>`,
      )}
    </div>
    ${bounds(schedule)}
  `;
}

/** Which part of the expression is what: one of five parts is taken as Unix's, without seconds. */
function cronGuide(expression) {
  const parts = expression.trim().split(/\s+/);
  const fields = parts.length === 5 ? CRON_FIELDS.slice(1, 6) : CRON_FIELDS.slice(0, parts.length === 7 ? 7 : 6);
  return html`${fields.map(
    (name, i) => html`<span>${i > 0 ? ' · ' : ''}${t(`cron.${name}`)} <code>${parts[i] ?? '…'}</code></span>`,
  )}`;
}

/** As if it had been typed, so that the preview follows. */
function fill(name, value) {
  const form = document.getElementById('job-form');
  form.elements[name].value = value;
  form.dispatchEvent(new Event('input'));
}

function repeat(kind, schedule) {
  return html`
    <div class="pair">
      ${field(
        kind,
        t(`submit.${kind}`),
        span(kind, shortSpan(schedule[kind])),
        t('submit.span.hint'),
      )}
      ${field(
        'times',
        t('submit.times'),
        html`<input id="times" name="times" type="number" min="1" .value=${schedule.times ?? ''} />`,
        t('submit.times.hint'),
      )}
    </div>
    ${bounds(schedule)}
  `;
}

function bounds(schedule) {
  return html`<div class="pair">
    ${field('at', t('submit.start'), moment('at', schedule.at), t('submit.local-time', { zone: shownZone() }))}
    ${field('until', t('submit.until'), moment('until', schedule.until))}
  </div>`;
}

/** How it runs. */
export function how(job) {
  const { retry = {}, overlap = {}, misfire = {} } = job;
  return html`<div class="pair">
    ${field(
      'priority',
      t('col.priority'),
      html`<input id="priority" name="priority" type="number" min="0" .value=${job.priority ?? ''} placeholder="100" />`,
      t('submit.priority.hint'),
    )}
    ${field(
      'maxRetries',
      t('submit.retries'),
      html`<input id="maxRetries" name="maxRetries" type="number" min="0" .value=${retry.maxRetries ?? ''} placeholder="3" />`,
      t('submit.retries.hint'),
    )}
    ${field('firstDelay', t('submit.first-delay'), span('firstDelay', shortSpan(retry.firstDelay), false))}
    ${field('timeout', t('submit.timeout'), span('timeout', shortSpan(job.timeout), false), t('submit.timeout.hint'))}
    ${field(
      'shards',
      t('job.shards'),
      html`<input id="shards" name="shards" type="number" min="1" max="1000" .value=${job.shards ?? ''} />`,
      t('submit.shards.hint'),
    )}
    ${field(
      'broadcast',
      t('job.broadcast'),
      choice('broadcast', job.broadcast ? 'yes' : '', [
        ['', t('submit.broadcast.no')],
        ['yes', word('batch-kind', 'BROADCAST')],
      ]),
      t('submit.broadcast.hint'),
    )}
    ${field(
      'onWorkerLost',
      t('job.on-worker-lost'),
      choice('onWorkerLost', job.onWorkerLost ?? '', [
        ['', t('submit.usual')],
        ...['SKIP', 'DEAD'].map((kind) => [kind, word('worker-lost', kind)]),
      ]),
      t('submit.on-worker-lost.hint'),
    )}
    ${textField(job, 'reduce', t('job.reduce'), t('submit.reduce.hint'))}
    ${field(
      'onPartFailure',
      t('job.on-part-failure'),
      choice('onPartFailure', job.onPartFailure ?? '', [
        ['', t('submit.usual')],
        ...['FINISH', 'STOP', 'IGNORE'].map((kind) => [kind, word('part-failure', kind)]),
      ]),
    )}
    ${field('within', t('job.within'), span('within', shortSpan(job.within), false), t('submit.timeout.hint'))}
    ${field(
      'overlap',
      t('job.overlap'),
      choice('overlap', overlap.kind ?? '', [
        ['', t('submit.usual')],
        ...['ALLOW', 'SKIP', 'QUEUE'].map((kind) => [kind, word('overlap', kind)]),
      ]),
      t('submit.overlap.hint'),
    )}
    ${field(
      'overlapLimit',
      t('submit.overlap-limit'),
      html`<input id="overlapLimit" name="overlapLimit" type="number" min="1" .value=${overlap.limit ?? ''} placeholder="10" />`,
    )}
    ${field(
      'misfire',
      t('job.misfire'),
      choice('misfire', misfire.kind ?? '', [
        ['', t('submit.usual')],
        ...['NONE', 'LATEST', 'ALL'].map((kind) => [kind, word('misfire', kind)]),
      ]),
      t('submit.misfire.hint'),
    )}
  </div>`;
}

function span(name, value, required = true) {
  return html`<input id=${name} name=${name} ?required=${required} placeholder="90s, 1h 30m" autocomplete="off" .value=${value} />`;
}

function moment(name, instant, { required = false } = {}) {
  return html`<input id=${name} name=${name} type="datetime-local" step="1" ?required=${required} .value=${fieldOf(instant)} />`;
}
