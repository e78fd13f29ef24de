import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, post, remove, withQuery } from '../core/api.js';
import { copyText } from '../core/copy.js';
import { ask, tell } from '../core/dialog.js';
import { away, instant } from '../core/format.js';
import { t, word } from '../core/words.js';
import { button, choice, emptyNotice, field, linkWith, oldestFirst, paging, section, table, valuesOf } from '../core/view.js';

const PAGE = 50;
const ROLES = ['VIEW', 'OPERATE', 'ADMIN'];
const TONES = { VALID: 'good', EXPIRES_SOON: 'warn' };
const NAME_FORM = '[A-Za-z0-9][A-Za-z0-9._@\\-]{0,63}';

export const tokens = {
  title: 'tokens.title',
  question: 'tokens.question',
  every: 0,
  load: async (page) =>
    page.may('ADMIN') ? get(withQuery('/tokens', { order: page.query.order, after: page.query.after, limit: PAGE })) : { items: [] },
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
  const { name, role, token, expiresAt } = page.ui.issued;
  return html`<section class="card" role="alert" aria-labelledby="issued-title">
    <header><h2 id="issued-title">${t('tokens.issued', { name, role: word('role', role) })}</h2></header>
    <p>${t('tokens.once')} ${expiresAt ? html`${t('tokens.expires')}: ${instant(expiresAt, { millis: false })}` : nothing}</p>
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
        choice('role', 'VIEW', ROLES.map((role) => [role, t(`tokens.role.${role}`)]), ({ currentTarget }) =>
          page.set({ role: currentTarget.value }),
        ),
      )}
      ${field(
        'groups',
        t('tokens.groups'),
        html`<input id="groups" name="groups" placeholder="orders billing-*" autocomplete="off" aria-describedby="groups-hint" />`,
        t('tokens.groups.hint'),
      )}
      ${(page.ui.role ?? 'VIEW') === 'VIEW' ? operatesField() : nothing} ${daysField('days')}
      <button type="submit">${t('tokens.issue')}</button>
    </form>
    <p class="hint" id="name-hint">${t('tokens.name.hint')}</p>`;
}

/** The node groups that a viewer may change. */
function operatesField() {
  return field(
    'operates',
    t('tokens.operates'),
    html`<input id="operates" name="operates" placeholder="billing billing-*" autocomplete="off" aria-describedby="operates-hint" />`,
    t('tokens.operates.hint'),
  );
}

/** For how many days a token is to be valid. */
function daysField(id) {
  return field(
    id,
    t('tokens.days'),
    html`<input id=${id} name="days" type="number" min="1" max="36500" aria-describedby="${id}-hint" />`,
    t(`tokens.${id}.hint`),
  );
}

const expiry = ({ days }) => (days ? { expires: `P${days}D` } : {});

const patternsIn = (text) => text?.split(/[\s,]+/).filter(Boolean);

async function issue(page, form) {
  const { name, role, groups, operates, ...life } = valuesOf(form);
  const wanted = { name, role, nodeGroups: patternsIn(groups), operates: patternsIn(operates), ...expiry(life) };
  const issued = await page.act(() => post('/tokens', wanted));
  if (issued) {
    form.reset();
    page.set({ issued, role: undefined });
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
          >${row.person ? html` <span class="badge">${t('tokens.person')}</span>` : nothing}`,
      },
      { name: t('tokens.role'), cell: roleOf },
      { name: t('tokens.groups'), cell: (row) => row.nodeGroups?.join(', ') ?? t('tokens.groups.all') },
      { name: t('col.state'), cell: state },
      { name: t('tokens.expires'), cell: end },
      { name: t('tokens.last-used'), cell: lastUse },
      { name: t('tokens.issued-at'), sorted: oldestFirst(page), cell: (row) => instant(row.createdAt, { millis: false }) },
      { name: t('tokens.issued-by'), cell: (row) => row.createdBy },
      { name: t('col.actions'), kind: 'actions', cell: (row) => actions(page, row) },
    ],
  });
}

function roleOf({ role, operates }) {
  const name = word('role', role);
  return operates ? t('tokens.role.operates', { role: name, groups: operates.join(' ') }) : name;
}

function state({ state, revokedAt }) {
  const badge = html`<span class="badge" data-tone=${TONES[state] ?? 'calm'}>${word('tokens.state', state)}</span>`;
  return revokedAt ? html`${badge} ${instant(revokedAt, { millis: false })}` : badge;
}

function end({ expiresAt, revokedAt }) {
  if (!expiresAt) {
    return t('tokens.endless');
  }
  const at = instant(expiresAt, { millis: false });
  return revokedAt ? at : html`${at} <small>${away(expiresAt)}</small>`;
}

function lastUse({ lastUsedAt, lastUsedFrom }) {
  return lastUsedAt
    ? html`${instant(lastUsedAt, { millis: false })} <small>${lastUsedFrom}</small>`
    : t('tokens.unused');
}

function actions(page, row) {
  const { name, person, revokedAt } = row;
  const again = person
    ? revokedAt && button(t('tokens.restore'), () => restore(page, row), { label: t('tokens.restore.label', { name }) })
    : !revokedAt && button(t('tokens.renew'), () => renew(page, row), { label: t('tokens.renew.label', { name }) });
  return html`${again || nothing}
  ${revokedAt
    ? nothing
    : button(t('tokens.revoke'), () => revoke(page, row), { tone: 'danger', label: t('tokens.revoke.label', { name }) })}`;
}

const restore = (page, { name }) =>
  page.act(() => post(path`/tokens/${name}/restore`), t('tokens.restore.done', { name }));

async function renew(page, { name }) {
  const life = await ask({
    title: t('tokens.renew.title', { name }),
    text: t('tokens.renew.text'),
    yes: t('tokens.renew'),
    fields: daysField('days-again'),
  });
  const issued = life && (await page.act(() => post(path`/tokens/${name}/renew`, expiry(life))));
  if (issued) {
    page.set({ issued });
  }
}

async function revoke(page, { name, person }) {
  const yes = await ask({
    title: t('tokens.revoke.title', { name }),
    text: t(person ? 'tokens.revoke.person' : 'tokens.revoke.text', { name }),
    yes: t('tokens.revoke'),
    danger: true,
  });
  if (yes) {
    await page.act(() => remove(path`/tokens/${name}`), t('tokens.revoke.done', { name }));
  }
}
