import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, getTagged, getTexts, orNull, path, post, put, Problem, withQuery } from '../core/api.js';
import { differences, differenceTable } from '../core/difference.js';
import { ask, tell } from '../core/dialog.js';
import { instant } from '../core/format.js';
import { how, KINDS, what, when } from '../core/job-fields.js';
import { editedJob, hasSameSchedule, isLive, newJob, scheduleOf } from '../core/job-values.js';
import { definitionIn, withDefaults } from '../core/versions.js';
import { currentLanguage, t, word } from '../core/words.js';
import { emptyNotice, link, section, valuesOf } from '../core/view.js';
import { conflict, currentOf, jobOf, showConflict } from './conflict.js';
import { fire } from './job.js';

const PREVIEW_AFTER_MILLIS = 250;
const FIRES = 10;

export const submit = {
  title: 'submit.title',
  question: 'submit.question',
  every: 0,
  load: ({ query }) => ({ nodeGroup: query.group ?? '', taskId: '', schedule: {}, params: {} }),
  hasDraft,
  view,
};

/** A new job that begins as this one is. */
export const duplicate = {
  title: ({ params: { task } }) => t('duplicate.title', { task }),
  question: 'duplicate.question',
  every: 0,
  zone: (page) => jobOf(page).schedule.zone,
  load: async ({ data, params: { group, task } }) => data ?? copyOf(await get(path`/jobs/${group}/${task}`)),
  hasDraft,
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
  load: async ({ data, ui, params: { group, task }, query: { version, entry } }) => {
    const of = version ?? entry;
    if (data !== null && data.versionOf?.of === of) {
      return data;
    }
    const job = await edited(group, task, version, entry);
    ui.began = undefined;
    return job;
  },
  hasDraft,
  view,
};

/** The job as it is or, if an earlier version of it or an entry of the audit is named, with the definition of that. */
async function edited(group, task, version, entry) {
  const at = path`/jobs/${group}/${task}`;
  if (!version && !entry) {
    return getTagged(at);
  }
  const [now, earlier] = await Promise.all([
    getTagged(at),
    version ? storedVersion(group, task, Number(version)) : recorded(group, task, entry ?? ''),
  ]);
  if (!earlier?.definition) {
    throw new Problem(404, { detail: t('edit.version.unknown') });
  }
  const { nodeGroup, taskId } = now;
  return { nodeGroup, taskId, ...earlier.definition, now, versionOf: earlier };
}

async function storedVersion(group, task, version) {
  const { items } = await get(withQuery(path`/jobs/${group}/${task}/versions`, { before: version + 1, limit: 1 }));
  const row = items.find((each) => each.version === version && !each.paramsLeftOut);
  return row && { of: String(version), by: row.by, at: row.at, definition: row.definition ?? null };
}

async function recorded(group, task, id) {
  const { items } = await get(withQuery('/audit', { job: `${group}/${task}`, before: idAbove(id), limit: 1 }));
  const row = items.find((each) => each.id === id);
  return row && { of: id, by: row.operator, at: row.at, definition: definitionIn(row) };
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
  if (!page.maySome('OPERATE')) {
    return emptyNotice(t('submit.not-allowed', { role: word('role', page.role) }));
  }
  const { group } = page.params;
  if (isEdit(page) && !page.may('OPERATE', group)) {
    return emptyNotice(t('edit.not-allowed', { group }));
  }
  const job = jobOf(page);
  const typed = (event) => previewSoon(page, event.currentTarget);
  queueMicrotask(() => firstPreview(page));
  return html`<form class="edit" id="job-form" @submit=${(event) => send(page, event)} @input=${typed} @change=${typed}>
    <div class="column">
      ${job.versionOf
        ? html`<p class="hint">${t('edit.version', { by: job.versionOf.by })} ${instant(job.versionOf.at)}</p>`
        : nothing}
      ${section(t('submit.what'), what(job, isEdit(page)))} ${section(t('submit.when'), when(page, job, kindOf(page, job)))}
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

function kindOf(page, { schedule }) {
  const kindIfNone = isEdit(page) ? 'at' : isDuplicate(page) ? 'now' : 'cron';
  return page.ui.kind ?? KINDS.find((kind) => schedule[kind] !== undefined) ?? kindIfNone;
}

/** Whether something in the form is neither as it was at first nor sent. */
function hasDraft({ ui: { began } }) {
  const form = document.getElementById('job-form');
  if (!form || !began) {
    return false;
  }
  const values = valuesOf(form);
  return Object.keys({ ...began, ...values }).some((name) => values[name] !== began[name]);
}

async function send(page, event) {
  event.preventDefault();
  const values = valuesOf(event.currentTarget);
  const { nodeGroup, taskId } = values;
  try {
    if (!(await (isEdit(page) ? save(page, values) : store(page, values)))) {
      return;
    }
    page.ui.began = values;
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

/** Submits the job of the form; whether it is stored. */
async function store(page, values) {
  const { nodeGroup, taskId } = values;
  const job = isDuplicate(page) ? editedJob(values, page.ui.began, page.data) : newJob(values);
  const replaceExisting = values.replaceExisting === 'yes' || undefined;
  if (replaceExisting && !(await mayReplace(path`/jobs/${nodeGroup}/${taskId}`, values, job))) {
    return false;
  }
  const stored = await post('/jobs', { ...job, nodeGroup, taskId, replaceExisting });
  tell(t(`submit.done.${stored.status}`, { group: nodeGroup, task: taskId }));
  return true;
}

/** Shows what is different from the job that it takes the place of, if there is one, until that has not changed while it was read. */
async function mayReplace(at, { nodeGroup: group, taskId: task }, job) {
  const read = () => orNull(getTagged(at));
  for (let before = await read(); before !== null && isLive(before); ) {
    const rows = differences(before, { ...withDefaults(job), state: before.state === 'PAUSED' ? 'ACTIVE' : before.state }, ['state']);
    const yes = await ask({
      title: t('submit.replace.title', { group, task }),
      text: t('submit.replace.text', { n: rows.length }),
      yes: t('submit.replace.yes'),
      danger: true,
      fields: tableOf(rows),
    });
    const now = yes && (await read());
    if (!yes || now?.tag === before.tag) {
      return Boolean(yes);
    }
    before = now;
  }
  return true;
}

const tableOf = (rows) =>
  differenceTable({
    caption: t('difference.title'),
    rows,
    empty: t('changes.same'),
    names: { was: t('difference.was'), now: t('difference.now') },
  });

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
    fields: tableOf(rows),
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
