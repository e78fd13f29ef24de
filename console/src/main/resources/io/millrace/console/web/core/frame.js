/** What is around a page: who is signed in, the navigation, the search, and what to say while the tracker is away. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { bulkChip, bulkPanel } from './bulk.js';
import { bulkChangesChip } from './bulk-changes.js';
import { browserAhead } from './clock.js';
import { dialogs } from './dialog.js';
import { finder, openFinder } from './finder.js';
import { commandsOfConsole, commandsOnJobs } from './finder-commands.js';
import { instant, span, timeOfDay } from './format.js';
import { displayMenu, zoneChoice } from './settings.js';
import { t, word } from './words.js';
import { shownZone } from './zone.js';
import { NAVIGATION } from '../pages.js';
import { groupChoice } from '../pages/choose-group.js';

let isMenuOpen = false;

/** Of a narrow window, where the navigation covers the page. */
export function closeMenu() {
  isMenuOpen = false;
}

export function headingOf(visit) {
  const { title } = visit.definition;
  return typeof title === 'function' ? title(visit) : t(title);
}

/**
 * A page with what is around it.
 *
 * @param {Shown} visit
 * @param {Surroundings} around
 */
export function frame(visit, around) {
  const session = around.session();
  const lostSince = around.lostSince();
  return html`
    <button type="button" class="skip" @click=${() => document.querySelector('h1')?.focus()}>${t('skip')}</button>
    <header class="bar ${isMenuOpen ? 'open' : ''}">
      <button
        type="button"
        class="menu quiet"
        aria-expanded=${isMenuOpen}
        aria-controls="navigation"
        @click=${() => {
          isMenuOpen = !isMenuOpen;
          around.draw();
        }}
      >
        ☰ <span class="unseen">${t('navigation')}</span>
      </button>
      <a class="brand" href="#/"><img src="/console/icon.svg" alt="" width="24" height="24" /> Millrace</a>
      <button type="button" class="quiet find" aria-keyshortcuts="Control+K Meta+K" @click=${() => searchFrom(visit, around)}>
        <span>${t('finder.open')}</span> <kbd>Ctrl K</kbd>
      </button>
      <span class="stretch"></span>
      ${bulkChip()} ${bulkChangesChip()}
      <div class="me">
        ${zoneChoice(around.drawAnew)} ${displayMenu(around.drawAnew)}
        <span class="who">${session.name} <small>${word('role', session.role)}</small></span>
        <button type="button" class="quiet" @click=${around.signOut}>${t('sign-out')}</button>
      </div>
    </header>
    <div class="warnings">
      ${lostSince === null ? nothing : html`<p role="alert">${lostText(lostSince)}</p>`}
      ${browserAhead() === 0 ? nothing : html`<p role="status">${clockText(browserAhead())}</p>`}
    </div>
    <nav id="navigation" aria-label=${t('navigation')} class=${isMenuOpen ? 'open' : ''}>
      ${NAVIGATION.map((group) => navigationGroup(group, visit))}
    </nav>
    <main>
      <header class="page">
        <h1 tabindex="-1">${headingOf(visit)}</h1>
        ${visit.definition.question ? html`<p class="question">${t(visit.definition.question)}</p>` : nothing}
        ${visit.loadedAt
          ? html`<p class="as-of">${t('as-of')} ${instant(visit.loadedAt, { millis: false })} · ${t('times-in', { zone: shownZone() })}</p>`
          : nothing}
      </header>
      <div class="news" role="status">${visit.news ? newsButton(visit) : nothing}</div>
      ${content(visit, lostSince)}
    </main>
    ${around.signInAgain()} ${dialogs()} ${finder()} ${bulkPanel()}
  `;
}

const isAllowed = (visit) => ({ role, isOfAll }) => (!role || visit.maySome(role)) && !(isOfAll && visit.isLimited);

/** Opens the search, unless a question is asked. */
export function searchFrom(visit, around) {
  const pages = NAVIGATION.flatMap((group) => group.pages).filter(isAllowed(visit));
  openFinder(pages, commandsOfConsole(around), (text) => commandsOnJobs(visit, text));
}

function navigationGroup({ name, pages }, visit) {
  const allowed = pages.filter(isAllowed(visit));
  return allowed.length === 0
    ? nothing
    : html`<h2>${t(name)}</h2>
        <ul>
          ${allowed.map(
            (page) =>
              html`<li>
                <a href=${`#${page.address}`} aria-current=${visit.within === page.address ? 'page' : nothing}>${t(page.title)}</a>
              </li>`,
          )}
        </ul>`;
}

function newsButton(visit) {
  const { added, gone } = visit.news;
  const counts = [added > 0 && t('news.added', { n: added }), gone > 0 && t('news.gone', { n: gone })];
  return html`<button type="button" class="main" title=${t('news.show')} @click=${() => visit.showNews()}>
    ${counts.filter(Boolean).join(', ')}
  </button>`;
}

function content(visit, lostSince) {
  const failure = visit.failure ? html`<p class="problem" role="alert">${visit.failure.message}</p>` : nothing;
  const view = visit.data === null ? waitingOf(visit, lostSince) : viewOf(visit);
  return html`${failure} ${repeat(formsOf(visit), () => visit.address, (form) => form)} ${view}`;
}

/** The search of the page, if it has one; another page has another form, in which nothing is typed yet. */
const formsOf = (visit) => (visit.mustChooseGroup || !visit.definition.form ? [] : [visit.definition.form(visit)]);

const waitingOf = ({ failure }, lostSince) =>
  failure ? nothing : html`<p class="loading" aria-busy="true">${t(lostSince === null ? 'loading' : 'loading.waiting')}</p>`;

const viewOf = (visit) => (visit.mustChooseGroup ? groupChoice(visit) : visit.definition.view(visit));

function lostText(lostSince) {
  return t('lost', { since: timeOfDay(lostSince, { seconds: true }) });
}

function clockText(ahead) {
  return t(ahead > 0 ? 'clock.ahead' : 'clock.behind', { span: span(Math.abs(ahead)) });
}
