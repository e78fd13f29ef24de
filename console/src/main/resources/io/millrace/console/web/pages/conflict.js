/** An edit that another one has overtaken: what has changed since, beside what was typed. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { getTagged, path } from '../core/api.js';
import { DEFINITION, editedJob } from '../core/job-values.js';
import { t } from '../core/words.js';
import { table, valuesOf } from '../core/view.js';

/** The job that the form began with; an edit may have gone on from a newer version of it. */
export const jobOf = (page) => page.ui.newer ?? page.data;

/** Another user has changed the job: shows the new version and keeps the draft. */
export async function showConflict(page, values, failure) {
  try {
    const { nodeGroup, taskId } = page.data;
    const now = await getTagged(path`/jobs/${nodeGroup}/${taskId}`);
    const draft = editedJob(values, page.ui.began, jobOf(page));
    page.set({ refusal: null, conflict: { now, draft } });
  } catch (problem) {
    page.isSignedOut(problem);
    page.set({ refusal: failure.message || t('lost.now') });
  }
}

export function conflict(page, preview) {
  const { now, draft } = page.ui.conflict;
  const before = jobOf(page);
  const fields = [...DEFINITION, 'state'].filter((name) => shown(before[name]) !== shown(now[name]));
  return html`<section class="card conflict" role="alert">
    <p class="problem">${t('edit.conflict', { version: now.version, by: now.pause?.by ?? now.submittedBy })}</p>
    ${table({
      caption: t('edit.conflict.changed'),
      rows: fields,
      key: (name) => name,
      empty: t('edit.conflict.same'),
      columns: [
        { name: t('edit.conflict.field'), cell: (name) => name },
        { name: t('edit.conflict.was'), cell: (name) => shown(before[name]) },
        { name: t('edit.conflict.now'), cell: (name) => shown(now[name]) },
        { name: t('edit.conflict.yours'), cell: (name) => (name === 'state' ? '' : shown(draft[name])) },
      ],
    })}
    <div class="actions">
      <button type="button" class="main" @click=${() => goOn(page, preview)}>
        ${t('edit.conflict.go-on', { version: now.version })}
      </button>
    </div>
  </section>`;
}

const shown = (value) => (value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value));

/** Goes on from the newer version: what the user has changed in the form stays in it, the rest is as it is now. */
function goOn(page, preview) {
  const form = document.getElementById('job-form');
  const values = valuesOf(form);
  const { began } = page.ui;
  const changed = [...form.elements].filter(
    ({ name, type }) => name && type !== 'radio' && values[name] !== began[name],
  );
  const draft = new Map(changed.map((control) => [control.name, control.value]));
  changed.forEach((control) => (control.value = began[control.name] ?? ''));
  const kind = values.kind === began.kind ? undefined : values.kind;
  page.set({ newer: page.ui.conflict.now, conflict: null, kind: undefined, began: undefined });
  page.ui.began = valuesOf(form);
  if (kind) {
    page.set({ kind });
  }
  draft.forEach((value, name) => {
    const control = form.elements.namedItem(name);
    if (control) {
      control.value = value;
    }
  });
  preview(page, form);
}
