/** Starts the console: who is signed in, which page, and its data again and again. */

import { html, nothing, render } from '/console/lib/lit-html/lit-html.js';
import * as api from './core/api.js';
import { bulkChip, bulkPanel, closeBulk, forgetAll, goOnWithAll, isAnyRunning, onBulkChange } from './core/bulk.js';
import { browserAhead, nowText } from './core/clock.js';
import { ask, cancelQuestion, dialogs, onDialogChange, tell } from './core/dialog.js';
import { firstSession } from './core/first.js';
import { closeFinder, finder, isFinderKey, onFinderChange, openFinder } from './core/finder.js';
import { instant, span, timeOfDay } from './core/format.js';
import { areRowsInUse, held } from './core/held.js';
import { languageChoice, showTheme, themeChoice, zoneChoice } from './core/settings.js';
import { closeIfDone, learnProvider, onSignInElsewhere, takeOutcome, tellTabs } from './core/provider.js';
import { locale, t, word, wordsFor } from './core/words.js';
import { emptyNotice, linkWith } from './core/view.js';
import { aboutZone, shownZone } from './core/zone.js';
import './core/chart.js';
import { loadAll, NAVIGATION, pageAt } from './pages.js';
import { groupChoice, groupsToChoose } from './pages/choose-group.js';
import { closeSignInDialog, showSignInDialog, signInDialog, signInView } from './pages/sign-in.js';

const HOME = '#/';

/** The overview is about all node groups. */
const HOME_OF_LIMITED = '#/groups';

const ROLES = ['VIEW', 'OPERATE', 'ADMIN'];
const AGAIN_MILLIS = [1_000, 2_000, 3_000, 5_000];

let session = null;
let signInFailure = null;

/** While the session has ended and the page is still there; what was typed in it is not lost. */
let sessionOver = false;
let wasNotChanged = false;
let shown = null;
let lostSince = null;
let failures = 0;
let menuOpen = false;
let areOthersAsked = false;

/** One visit of a page: what its address says, what was loaded, what the user has set. */
class Visit {
  /** @param {Place} place */
  constructor({ definition, within, params, query, address }) {
    this.definition = definition;
    this.within = within;
    this.params = params;
    this.query = query;
    this.address = address;
    /** @type {any} */
    this.data = null;
    /** @type {string | null} */
    this.loadedAt = null;
    /** @type {any} */
    this.news = null;
    /** @type {Failure} */
    this.failure = null;
    /** @type {Ui} */
    this.ui = {};
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {(() => void)[]} */
    this.cleanups = [];
  }

  get isCurrent() {
    return shown === this;
  }

  /** The role of who is signed in. */
  get role() {
    return session?.role;
  }

  /** Whether who is signed in may do what takes this role. */
  may(role) {
    return ROLES.indexOf(session?.role) >= ROLES.indexOf(role);
  }

  /** Whether the token of who is signed in is limited to node groups. */
  get isLimited() {
    return Boolean(session?.nodeGroups);
  }

  /** Whether a node group has to be chosen first: a limited token may ask for one at a time, which the API knows if it has only one. */
  get mustChooseGroup() {
    const { groupIn } = this.definition;
    const [first, ...others] = session?.nodeGroups ?? [];
    const isOne = others.length === 0 && !first?.endsWith('*');
    return this.isLimited && !isOne && groupIn !== undefined && !this.query[groupIn];
  }

  /** Sets what the page remembers while it is open, and shows it. */
  set(values) {
    Object.assign(this.ui, values);
    draw();
  }

  /** Goes to the same page with another query. */
  search(query) {
    location.hash = linkWith(this.address, query).slice(1);
  }

  go(address) {
    location.hash = address.replace(/^#/, '');
  }

  /** To be called when the page is left. */
  onLeave(cleanup) {
    this.cleanups.push(cleanup);
  }

  /**
   * Reads the data of the page.
   *
   * @param isRefresh whether the page loads by itself: then rows that are pointed at stay where they are
   */
  async load({ isRefresh = false } = {}) {
    clearTimeout(this.timer);
    try {
      const data = this.mustChooseGroup ? await groupsToChoose() : await this.definition.load(this);
      if (!this.isCurrent) {
        return;
      }
      this.take(data, isRefresh);
      this.loadedAt = nowText();
      this.failure = null;
      failures = 0;
      lostSince = null;
    } catch (failure) {
      if (!this.isCurrent || noteLoss(failure)) {
        return;
      }
      this.failure = failure;
    }
    draw();
    loadOthers();
    this.again(failures > 0 ? AGAIN_MILLIS[Math.min(failures, AGAIN_MILLIS.length) - 1] : this.every);
  }

  take(data, isRefresh) {
    const { rows } = this.definition;
    const isHeld = isRefresh && rows && this.data && areRowsInUse();
    const now = isHeld ? held(rows, this.data, data) : { data, added: 0, gone: 0 };
    this.data = now.data;
    this.news = now.added + now.gone > 0 ? { ...now, data } : null;
  }

  /** Shows the lists as they are now. */
  showNews() {
    this.data = this.news.data;
    this.news = null;
    draw();
    document.querySelector('h1')?.focus();
  }

  /** Milliseconds to the next load; 0 for none. */
  get every() {
    const { every } = this.definition;
    return typeof every === 'function' ? every(this) : every;
  }

  again(millis) {
    clearTimeout(this.timer);
    if (millis) {
      this.timer = setTimeout(() => (document.hidden ? this.again(millis) : this.load({ isRefresh: true })), millis);
    }
  }

  /**
   * Has something changed, says what came of it, and loads the page again.
   *
   * @param change asks the tracker
   * @param {any} said what to tell of the answer
   */
  async act(change, said) {
    try {
      const answer = await change();
      const text = typeof said === 'function' ? said(answer) : said;
      if (text) {
        tell(text);
      }
      await this.load();
      return answer;
    } catch (failure) {
      if (failure instanceof api.Unreachable) {
        tell(t('change.unknown'), 'bad');
      } else if (this.isSignedOut(failure)) {
        wasNotChanged = true;
      } else if (!noteLoss(failure)) {
        tell(failure.message, 'bad');
      }
      return undefined;
    }
  }

  /** Whether the failure is that the session has ended; then sign-in is shown over the page. */
  isSignedOut(failure) {
    return failure instanceof api.Problem && failure.status === 401 && noteLoss(failure);
  }

  leave() {
    clearTimeout(this.timer);
    this.cleanups.forEach((cleanup) => cleanup());
  }
}

/** Loads the other pages once, behind the first one. What fails is loaded when it is opened. */
function loadOthers() {
  if (!areOthersAsked) {
    areOthersAsked = true;
    loadAll().catch(() => {});
  }
}

/** Whether the failure is dealt with: the session is over, or the tracker gone for a while. */
function noteLoss(failure) {
  if (failure instanceof api.Problem && failure.status === 401) {
    sessionOver = true;
    draw();
    showSignInDialog();
    return true;
  }
  if (failure instanceof api.OtherOperator) {
    return true;
  }
  if (api.isAway(failure)) {
    failures++;
    lostSince ??= nowText();
    draw();
    shown?.again(AGAIN_MILLIS[Math.min(failures, AGAIN_MILLIS.length) - 1]);
    return true;
  }
  if (!(failure instanceof api.Problem)) {
    console.error(failure);
  }
  return false;
}

/** Opens the page of the address when its module is loaded, unless another one has been asked for meanwhile. */
async function open() {
  if (session === null) {
    draw();
    return;
  }
  if (session.nodeGroups && (location.hash === '' || location.hash === HOME)) {
    location.replace(HOME_OF_LIMITED);
    return;
  }
  cancelQuestion();
  closeFinder();
  closeBulk();
  const { hash } = location;
  const place = await placeAt(hash);
  if (place !== null && session !== null && location.hash === hash) {
    show(place);
  }
}

/** The page of an address; null if the tracker went away before its module was loaded: then it is opened later. */
async function placeAt(hash) {
  document.documentElement.ariaBusy = 'true';
  try {
    return await pageAt(hash);
  } catch {
    setTimeout(open, AGAIN_MILLIS.at(-1));
    return null;
  } finally {
    document.documentElement.ariaBusy = null;
  }
}

/** @param {Place} place */
function show(place) {
  const before = shown;
  before?.leave();
  menuOpen = false;
  shown = new Visit(place);
  const isSamePage = before?.address === shown.address;
  if (isSamePage && before.definition === shown.definition && before.mustChooseGroup === shown.mustChooseGroup) {
    shown.data = before.data;
    shown.loadedAt = before.loadedAt;
  }
  useZoneOfPage();
  shown.load(); // before the frame is drawn, which takes as long as an answer
  draw();
  if (!isSamePage) {
    scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }
}

function useZoneOfPage() {
  aboutZone(shown?.data ? shown.definition.zone?.(shown) : undefined);
}

function draw() {
  if (session !== null && shown === null) {
    return; // the module of the page is on its way
  }
  document.documentElement.lang = locale();
  useZoneOfPage();
  render(session === null ? signedOut() : signedIn(), document.body);
  document.title = session === null ? 'Millrace' : `${heading()} · Millrace`;
}

/** After what the page is drawn with has changed. */
function drawAnew() {
  draw();
  shown?.load();
}

function heading() {
  const { title } = shown.definition;
  return typeof title === 'function' ? title(shown) : t(title);
}

function signedOut() {
  return html`${signInView({ failure: signInFailure, signIn, languageChoice: () => languageChoice(drawAnew) })} ${dialogs()}`;
}

async function signIn(token) {
  try {
    welcome(await api.signIn(token));
    tellTabs();
  } catch (failure) {
    signInFailure = failure instanceof api.Unreachable ? t('lost.now') : failure.message;
    draw();
  }
}

/** Goes on with the page that is open if the same user has signed in again, and begins anew for another. */
function welcome(begun) {
  const isSame = session?.name === begun.name && session?.role === begun.role;
  session = begun;
  signInFailure = null;
  if (sessionOver && isSame) {
    goOn();
  } else {
    leavePage();
    open();
  }
}

function goOn() {
  sessionOver = false;
  closeSignInDialog();
  if (wasNotChanged) {
    wasNotChanged = false;
    tell(t('session.not-changed'), 'bad');
  }
  draw();
  shown.load();
  goOnWithAll();
}

/** Nothing of the page is left, neither its data nor what was typed in it. */
function leavePage() {
  sessionOver = false;
  wasNotChanged = false;
  cancelQuestion();
  closeFinder();
  forgetAll();
  shown?.leave();
  shown = null;
  render(nothing, document.body);
}

async function signOut() {
  if (isAnyRunning() && !(await ask({ title: t('bulk.sign-out'), text: t('bulk.sign-out.text'), yes: t('sign-out'), danger: true }))) {
    return;
  }
  try {
    await api.signOut();
  } catch (failure) {
    if (failure.status !== 401) {
      tell(failure.message, 'bad');
      return;
    }
  }
  leavePage();
  session = null;
  signInFailure = null;
  draw();
}

/** Another tab has signed in somebody else: nothing was changed in the name of the one whom this page shows. */
function changeOperator(other) {
  tell(t('session.other', { name: other.name }), 'bad');
  session = other;
  leavePage();
  open();
}

/** Another tab may have signed in meanwhile. */
async function lookForSession() {
  try {
    welcome(await api.whoAmI());
  } catch {
    showSignInDialog();
  }
}

function signedIn() {
  return html`
    <button type="button" class="skip" @click=${() => document.querySelector('h1')?.focus()}>${t('skip')}</button>
    <header class="bar ${menuOpen ? 'open' : ''}">
      <button
        type="button"
        class="menu quiet"
        aria-expanded=${menuOpen}
        aria-controls="navigation"
        @click=${() => {
          menuOpen = !menuOpen;
          draw();
        }}
      >
        ☰ <span class="unseen">${t('navigation')}</span>
      </button>
      <a class="brand" href="#/"><img src="/console/icon.svg" alt="" width="24" height="24" /> Millrace</a>
      <span class="stretch"></span>
      ${bulkChip()}
      <button type="button" class="quiet" aria-keyshortcuts="Control+K Meta+K" @click=${find}>
        ${t('finder.open')} <kbd>Ctrl K</kbd>
      </button>
      <div class="me">
        ${languageChoice(drawAnew)} ${zoneChoice(drawAnew)} ${themeChoice()}
        <span class="who">${session.name} <small>${word('role', session.role)}</small></span>
        <button type="button" class="quiet" @click=${signOut}>${t('sign-out')}</button>
      </div>
    </header>
    <div class="warnings">
      ${lostSince === null ? nothing : html`<p role="alert">${lostText()}</p>`}
      ${browserAhead() === 0 ? nothing : html`<p role="status">${clockText(browserAhead())}</p>`}
    </div>
    <nav id="navigation" aria-label=${t('navigation')} class=${menuOpen ? 'open' : ''}>
      ${NAVIGATION.map((group) => navigationGroup(group))}
    </nav>
    <main>
      <header class="page">
        <h1 tabindex="-1">${heading()}</h1>
        ${shown.definition.question ? html`<p class="question">${t(shown.definition.question)}</p>` : nothing}
        ${shown.loadedAt
          ? html`<p class="as-of">${t('as-of')} ${instant(shown.loadedAt, { millis: false })} · ${t('times-in', { zone: shownZone() })}</p>`
          : nothing}
      </header>
      <div class="news" role="status">${shown.news ? newsButton(shown) : nothing}</div>
      ${content()}
    </main>
    ${sessionOver ? signInDialog({ name: session.name, failure: signInFailure, signIn }) : nothing} ${dialogs()} ${finder()} ${bulkPanel()}
  `;
}

const isAllowed = ({ role, isOfAll }) => (!role || shown.may(role)) && !(isOfAll && shown.isLimited);

/** Opens the search, unless a question is asked. */
function find() {
  openFinder(NAVIGATION.flatMap(({ pages }) => pages).filter(isAllowed));
}

function findByKey(event) {
  if (isFinderKey(event) && session !== null) {
    event.preventDefault();
    find();
  }
}

function navigationGroup({ name, pages }) {
  const allowed = pages.filter(isAllowed);
  return allowed.length === 0
    ? nothing
    : html`<h2>${t(name)}</h2>
        <ul>
          ${allowed.map(
            (page) =>
              html`<li>
                <a href=${`#${page.address}`} aria-current=${isOpen(page) ? 'page' : nothing}>${t(page.title)}</a>
              </li>`,
          )}
        </ul>`;
}

function isOpen(page) {
  return shown.within === page.address;
}

function newsButton(visit) {
  const { added, gone } = visit.news;
  const counts = [added > 0 && t('news.added', { n: added }), gone > 0 && t('news.gone', { n: gone })];
  return html`<button type="button" class="main" title=${t('news.show')} @click=${() => visit.showNews()}>
    ${counts.filter(Boolean).join(', ')}
  </button>`;
}

function content() {
  const failure = shown.failure
    ? html`<p class="problem" role="alert">${shown.failure.message}</p>`
    : nothing;
  if (shown.data === null) {
    return shown.failure ? failure : html`<p class="loading" aria-busy="true">${t(lostSince === null ? 'loading' : 'loading.waiting')}</p>`;
  }
  const view = shown.mustChooseGroup ? groupChoice(shown) : shown.definition.view(shown);
  return html`${failure} ${view ?? emptyNotice('')}`;
}

function lostText() {
  return t('lost', { since: timeOfDay(lostSince, { seconds: true }) });
}

function clockText(ahead) {
  return t(ahead > 0 ? 'clock.ahead' : 'clock.behind', { span: span(Math.abs(ahead)) });
}

/**
 * A browser that was signed in before still is: its cookie says so.
 *
 * @param {string} [end] what came of a sign-in through the provider
 * @param {Promise<Session>} [asked] the answer to who is signed in
 */
async function resume(end = takeOutcome(), asked = firstSession) {
  const whyNot = end && wordsFor('sign-in', end);
  try {
    const begun = await asked;
    if (end) {
      tellTabs();
      closeIfDone(end);
    }
    welcome(begun);
    if (whyNot) {
      tell(whyNot, 'bad');
    }
  } catch (failure) {
    if (api.isAway(failure)) {
      setTimeout(() => resume(end, api.whoAmI()), AGAIN_MILLIS.at(-1));
      signInFailure = t('lost.now');
    } else {
      signInFailure = whyNot;
    }
    draw();
  }
}

/**
 * Offers the identity provider to who is to sign in, which is known once the session is.
 *
 * @param {Promise<void>} resumed
 */
async function showProvider(resumed) {
  try {
    await Promise.all([learnProvider(), resumed]);
    if (session === null) {
      draw();
    }
  } catch (failure) {
    if (api.isAway(failure)) {
      setTimeout(showProvider, AGAIN_MILLIS.at(-1), resumed);
    }
  }
}

/** A tab that is looked at again shows what is so now. */
function lookAgain() {
  if (document.hidden) {
    return;
  }
  if (sessionOver) {
    lookForSession();
  } else {
    shown?.load({ isRefresh: true });
  }
}

onDialogChange(draw);
onFinderChange(draw);
onBulkChange({ changed: draw, signedOut: noteLoss, ended: ({ address }) => shown?.address === address && shown.load() });
api.onOtherOperator(changeOperator);
addEventListener('hashchange', open);
addEventListener('keydown', findByKey);
document.addEventListener('visibilitychange', lookAgain);
onSignInElsewhere(() => sessionOver && lookForSession());
showTheme();
showProvider(resume());
