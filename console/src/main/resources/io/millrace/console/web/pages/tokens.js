import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, post, remove, withQuery } from '../core/api.js';
import { copyText } from '../core/copy.js';
import { ask, tell } from '../core/dialog.js';
import { instant } from '../core/format.js';
import { t, word } from '../core/words.js';
import { button, choice, emptyNotice, field, linkWith, paging, section, table, valuesOf } from '../core/view.js';

const PAGE = 50;
const ROLES = ['VIEW', 'OPERATE', 'ADMIN'];
const NAME_FORM = '[A-Za-z0-9][A-Za-z0-9._@\\-]{0,63}';

export const tokens = {
  title: 'tokens.title',
  question: 'tokens.question',
  every: 0,
  load: async (page) =>
    page.may('ADMIN') ? get(withQuery('/tokens', { after: page.query.after, limit: PAGE })) : { items: [] },
  view,
};

function view(page) {
  if (!page.may('ADMIN')) {
    return emptyNotice(t('tokens.not-allowed', { role: word('role', page.role) }));
  }
  const { items, next } = page.data;
  return html`
    ${page.ui.issued ? issuedNotice(page) : nothing} ${section(t('tokens.issue'), issueForm(page))}
    ${list(page, items)} ${paging(page, next)}
  `;
}

/** The tracker keeps a hash of it, so this is the only time it can be shown. */
function issuedNotice(page) {
  const { name, role, token } = page.ui.issued;
  return html`<section class="card" role="alert" aria-labelledby="issued-title">
    <header><h2 id="issued-title">${t('tokens.issued', { name, role: word('role', role) })}</h2></header>
    <p>${t('tokens.once')}</p>
    <div class="once-token">
      <code id="issued-token">${token}</code>
      ${button(t('tokens.copy'), () => copy(token), { tone: 'main', label: t('tokens.copy.label', { name }) })}
    </div>
    <div class="actions">
      ${button(t('tokens.kept'), () => page.set({ issued: null }), { tone: 'quiet' })}
    </div>
  </section>`;
}

async function copy(token) {
  tell(t((await copyText(token, 'issued-token')) ? 'tokens.copied' : 'tokens.copy-by-hand'));
}

function issueForm(page) {
  const submit = (event) => {
    event.preventDefault();
    issue(page, event.currentTarget);
  };
  return html`<form class="search" @submit=${submit}>
      ${field(
        'name',
        t('tokens.name'),
        html`<input
          id="name"
          name="name"
          required
          maxlength="64"
          pattern=${NAME_FORM}
          placeholder="alice"
          autocomplete="off"
          aria-describedby="name-hint"
        />`,
      )}
      ${field(
        'role',
        t('tokens.role'),
        choice('role', 'VIEW', ROLES.map((role) => [role, t(`tokens.role.${role}`)])),
      )}
      <button type="submit">${t('tokens.issue')}</button>
    </form>
    <p class="hint" id="name-hint">${t('tokens.name.hint')}</p>`;
}

async function issue(page, form) {
  const { name, role } = valuesOf(form);
  const issued = await page.act(() => post('/tokens', { name, role }));
  if (issued) {
    form.reset();
    page.set({ issued });
  }
}

function list(page, items) {
  return table({
    caption: t('tokens.title'),
    rows: items,
    key: (row) => row.name,
    empty: t('tokens.none'),
    columns: [
      {
        name: t('tokens.name'),
        cell: (row) =>
          html`<a href=${linkWith('/audit', { operator: row.name })} aria-label=${t('tokens.audit.label', { name: row.name })}
            >${row.name}</a
          >`,
      },
      { name: t('tokens.role'), cell: (row) => word('role', row.role) },
      { name: t('col.state'), cell: state },
      { name: t('tokens.issued-at'), cell: (row) => instant(row.createdAt, { millis: false }) },
      { name: t('tokens.issued-by'), cell: (row) => row.createdBy },
      { name: t('col.actions'), kind: 'actions', cell: (row) => actions(page, row) },
    ],
  });
}

function state({ revokedAt }) {
  return revokedAt
    ? html`<span class="badge" data-tone="calm">${t('tokens.revoked')}</span> ${instant(revokedAt, { millis: false })}`
    : html`<span class="badge" data-tone="good">${t('tokens.good')}</span>`;
}

function actions(page, row) {
  return row.revokedAt
    ? nothing
    : button(t('tokens.revoke'), () => revoke(page, row), {
        tone: 'danger',
        label: t('tokens.revoke.label', { name: row.name }),
      });
}

async function revoke(page, { name }) {
  const yes = await ask({
    title: t('tokens.revoke.title', { name }),
    text: t('tokens.revoke.text', { name }),
    yes: t('tokens.revoke'),
    danger: true,
  });
  if (yes) {
    await page.act(() => remove(path`/tokens/${name}`), t('tokens.revoke.done', { name }));
  }
}
