import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, getTagged, getTexts, path, post, put, Problem, withQuery } from '../core/api.js';
import { differences, differenceTable } from '../core/difference.js';
import { ask, tell } from '../core/dialog.js';
import { fieldOf, instant } from '../core/format.js';
import { editedJob, hasSameSchedule, newJob, scheduleOf, shortSpan } from '../core/job-values.js';
import { paramsTable } from '../core/params-table.js';
import { textField } from '../core/search.js';
import { definitionIn } from '../core/versions.js';
import { currentLanguage, t, word } from '../core/words.js';
import { choice, emptyNotice, field, link, section, valuesOf, writeParams } from '../core/view.js';
import { shownZone } from '../core/zone.js';
import { conflict, currentOf, jobOf, showConflict } from './conflict.js';
import { fire } from './job.js';

const PREVIEW_AFTER_MILLIS = 250;
const FIRES = 10;
const KINDS = ['cron', 'every', 'fixedDelay', 'at', 'after', 'now'];
const CRON_FIELDS = ['second', 'minute', 'hour', 'day', 'month', 'weekday', 'year'];
const EXAMPLES = ['0 0/5 * * * ?', '0 0 * * * ?', '0 30 2 * * ?', '0 0 9 ? * MON-FRI', '0 0 6 1 * ?', '0 0 18 L * ?'];

export const submit = {
  title: 'submit.title',
  question: 'submit.question',
  every: 0,
  load: ({ query }) => ({ nodeGroup: query.group ?? '', taskId: '', schedule: {}, params: {} }),
  view,
};

/** A new job that begins as this one is. */
export const duplicate = {
  title: ({ params: { task } }) => t('duplicate.title', { task }),
  question: 'duplicate.question',
  every: 0,
  zone: (page) => jobOf(page).schedule.zone,
  load: async ({ data, params: { group, task } }) => data ?? copyOf(await get(path`/jobs/${group}/${task}`)),
  view,
};

/** The definition under another name, and not as part of the trace in which the other was submitted. */
function copyOf({ nodeGroup, taskId, traceParent, traceState, ...definition }) {
  return { ...definition, nodeGroup, taskId: `${taskId}-copy` };
}

export const edit = {
  title: ({ params: { task } }) => t('edit.title', { task }),
  question: 'edit.question',
  every: 0,
  zone: (page) => jobOf(page).schedule.zone,
  load: async ({ data, ui, params: { group, task }, query: { version } }) => {
    if (data !== null && data.versionOf?.id === version) {
      return data;
    }
    const job = await edited(group, task, version);
    ui.began = undefined;
    return job;
  },
  view,
};

/** The job as it is or, if the audit's entry of an earlier version is named, with the definition of that one. */
async function edited(group, task, version) {
  const at = path`/jobs/${group}/${task}`;
  if (!version) {
    return getTagged(at);
  }
  const [now, audit] = await Promise.all([
    getTagged(at),
    get(withQuery('/audit', { job: `${group}/${task}`, before: idAbove(version), limit: 1 })),
  ]);
  const entry = audit.items.find(({ id }) => id === version);
  const definition = entry === undefined ? null : definitionIn(entry);
  if (definition === null) {
    throw new Problem(404, { detail: t('edit.version.unknown') });
  }
  const { nodeGroup, taskId } = now;
  return { nodeGroup, taskId, ...definition, now, versionOf: entry };
}

/** Ids have more digits than a number can hold. */
function idAbove(id) {
  try {
    return String(BigInt(id) + 1n);
  } catch {
    return id;
  }
}

const isEdit = (page) => page.definition === edit;
const isDuplicate = (page) => page.definition === duplicate;

function view(page) {
  if (!page.may('OPERATE')) {
    return emptyNotice(t('submit.not-allowed'));
  }
  const job = jobOf(page);
  const typed = (event) => previewSoon(page, event.currentTarget);
  queueMicrotask(() => firstPreview(page));
  return html`<form class="edit" id="job-form" @submit=${(event) => send(page, event)} @input=${typed} @change=${typed}>
    <div class="column">
      ${job.versionOf
        ? html`<p class="hint">${t('edit.version', { by: job.versionOf.operator })} ${instant(job.versionOf.at)}</p>`
        : nothing}
      ${section(t('submit.what'), what(page, job))} ${section(t('submit.when'), when(page, job))}
      ${section(t('submit.how'), how(job))}
      ${page.ui.refusal ? html`<p class="problem" role="alert">${page.ui.refusal}</p>` : nothing}
      ${page.ui.conflict ? conflict(page, previewSoon) : nothing}
      <div class="actions">
        <button type="submit" class="main">${t(isEdit(page) ? 'edit.save' : 'submit.send')}</button>
        <a class="button" href=${backOf(page)}>${t('no')}</a>
      </div>
    </div>
    <div class="beside">${section(t('submit.preview'), html`<div aria-live="polite">${preview(page)}</div>`)}</div>
  </form>`;
}

const backOf = ({ params: { group, task } }) => (task === undefined ? '#/jobs' : link`/jobs/${group}/${task}`);

function what(page, job) {
  return html`
    <div class="pair">
      ${textField(job, 'nodeGroup', t('col.group'), t('submit.group.hint'), { required: true, readonly: isEdit(page) })}
      ${field(
        'taskId',
        t('submit.task'),
        html`<input id="taskId" name="taskId" required ?readonly=${isEdit(page)} .value=${job.taskId} />`,
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
    ${isEdit(page)
      ? nothing
      : html`<label class="choices"
          ><span><input type="checkbox" name="replaceExisting" value="yes" /> ${t('submit.replace')}</span></label
        >`}
  `;
}

function kindOf(page, { schedule }) {
  const kindIfNone = isEdit(page) ? 'at' : isDuplicate(page) ? 'now' : 'cron';
  return page.ui.kind ?? KINDS.find((kind) => schedule[kind] !== undefined) ?? kindIfNone;
}

function when(page, job) {
  const kind = kindOf(page, job);
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
          html`<button type="button" title=${example} @click=${() => fill(page, 'cron', example)}>
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

function fill(page, name, value) {
  const form = document.getElementById('job-form');
  form.elements[name].value = value;
  previewSoon(page, form);
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

function how(job) {
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

async function send(page, event) {
  event.preventDefault();
  const values = valuesOf(event.currentTarget);
  const { nodeGroup, taskId } = values;
  try {
    if (isEdit(page)) {
      if (!(await save(page, values))) {
        return;
      }
    } else {
      const replaceExisting = values.replaceExisting === 'yes' || undefined;
      const job = isDuplicate(page) ? editedJob(values, page.ui.began, page.data) : newJob(values);
      const stored = await post('/jobs', { ...job, nodeGroup, taskId, replaceExisting });
      tell(t(`submit.done.${stored.status}`, { group: nodeGroup, task: taskId }));
    }
    page.go(link`/jobs/${nodeGroup}/${taskId}`);
  } catch (failure) {
    if (page.isSignedOut(failure)) {
      return;
    }
    if (isEdit(page) && failure.status === 412) {
      await showConflict(page, values, failure);
    } else {
      page.set({ refusal: failure.message || t('lost.now') });
    }
  }
}

/** Shows what the edit changes, and saves it if that is wanted; whether it is saved. */
async function save(page, values) {
  const before = currentOf(page);
  const after = editedJob(values, page.ui.began, jobOf(page));
  const of = { group: before.nodeGroup, task: before.taskId };
  const rows = differences(before, after);
  page.set({ refusal: null });
  if (rows.length === 0) {
    tell(t('edit.same', of));
    return false;
  }
  const yes = await ask({
    title: t('edit.save.title', of),
    text: t('edit.save.text', { n: rows.length }),
    yes: t('edit.save.yes'),
    fields: differenceTable({
      caption: t('difference.title'),
      rows,
      names: { was: t('difference.was'), now: t('difference.now') },
    }),
  });
  if (!yes) {
    return false;
  }
  await put(path`/jobs/${before.nodeGroup}/${before.taskId}`, after, before.tag);
  tell(t('edit.done', of));
  return true;
}

function firstPreview(page) {
  const form = document.getElementById('job-form');
  if (form && page.isCurrent) {
    page.ui.began ??= valuesOf(form);
  }
  const previewed = `${kindOf(page, jobOf(page))} ${currentLanguage()}`;
  if (form && page.isCurrent && page.ui.previewed !== previewed) {
    page.ui.previewed = previewed;
    loadPreview(page, valuesOf(form));
  }
}

function previewSoon(page, form) {
  clearTimeout(page.ui.previewTimer);
  page.ui.previewTimer = setTimeout(() => loadPreview(page, valuesOf(form)), PREVIEW_AFTER_MILLIS);
}

/** What a form would do; while an edit leaves the schedule alone, what the job does anyway. */
async function previewOf(page, values) {
  const { nodeGroup, taskId } = page.data;
  const isAsItRuns = isEdit(page) && currentOf(page) === jobOf(page);
  if (isAsItRuns && hasSameSchedule(values, page.ui.began ?? values)) {
    return getTexts(path`/jobs/${nodeGroup}/${taskId}/next`, { count: FIRES });
  }
  const schedule = scheduleOf(values);
  return Object.values(schedule).every((value) => value === undefined)
    ? { nothing: true }
    : post('/schedules/preview', { ...schedule, count: FIRES, language: currentLanguage() });
}

/** Asks the tracker itself: what it says now is what it will do. Answers out of turn are dropped. */
async function loadPreview(page, values) {
  const turn = (page.ui.turn ?? 0) + 1;
  page.ui.turn = turn;
  let preview;
  try {
    preview = await previewOf(page, values);
  } catch (failure) {
    page.isSignedOut(failure);
    preview = { refusal: failure instanceof Problem || failure.message ? failure.message : t('lost.now') };
  }
  if (page.isCurrent && page.ui.turn === turn) {
    page.set({ preview, cron: values.cron });
  }
}

function preview({ ui: { preview: shown } }) {
  if (!shown) {
    return html`<p class="muted">${t('loading')}</p>`;
  }
  if (shown.nothing) {
    return html`<p class="muted">${t('submit.preview.now')}</p>`;
  }
  if (shown.refusal) {
    return html`<p class="problem">${shown.refusal}</p>`;
  }
  return html`
    <p class="words">${shown.words}</p>
    ${shown.note ? html`<p class="hint">${shown.note}</p>` : nothing}
    ${shown.items.length === 0
      ? nothing
      : html`<p class="hint">${t('job.zone', { zone: shown.zone })}</p>
          <ol class="fires">
            ${shown.items.map(fire)}
          </ol>`}
  `;
}
