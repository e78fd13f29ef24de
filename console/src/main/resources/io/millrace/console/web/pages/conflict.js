/** An edit that another one has overtaken: what has changed since, beside what was typed. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { getTagged, path } from '../core/api.js';
import { differences, differenceTable, fieldOf, told } from '../core/difference.js';
import { editedJob } from '../core/job-values.js';
import { t } from '../core/words.js';
import { valuesOf } from '../core/view.js';

/** The job that the form began with; an edit may have gone on from a newer version of it. */
export const jobOf = (page) => page.ui.newer ?? page.data;

/** The job that an edit would change; what the form began with may be an earlier version of it. */
export const currentOf = (page) => jobOf(page).now ?? jobOf(page);

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
  const before = currentOf(page);
  return html`<section class="card conflict" role="alert">
    <p class="problem">${t('edit.conflict', { version: now.version, by: now.pause?.by ?? now.submittedBy })}</p>
    ${differenceTable({
      caption: t('edit.conflict.changed'),
      rows: differences(before, now, ['state']),
      empty: t('edit.conflict.same'),
      names: { was: t('edit.conflict.was'), now: t('edit.conflict.now') },
      more: [
        {
          name: t('edit.conflict.yours'),
          kind: 'value',
          cell: ({ field }) => (field === 'state' ? '' : told(fieldOf(draft, field))),
        },
      ],
    })}
    <div class="actions">
      <button type="button" class="main" @click=${() => goOn(page, preview)}>
        ${t('edit.conflict.go-on', { version: now.version })}
      </button>
    </div>
  </section>`;
}

/**
 * Goes on from the newer version. What the user has changed in the form stays in it, the rest is as it is now; but an earlier version of
 * the job, if the form has one, stays there as it is.
 */
function goOn(page, preview) {
  if (currentOf(page) !== jobOf(page)) {
    page.set({ newer: { ...jobOf(page), now: page.ui.conflict.now }, conflict: null });
    return;
  }
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
