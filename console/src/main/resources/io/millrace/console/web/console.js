/** Starts the console: who is signed in, and which page is open. */

import { html, nothing, render } from '/console/lib/lit-html/lit-html.js';
import * as api from './core/api.js';
import { closeBulk, forgetAll, goOnWithAll, isAnyRunning, onBulkChange } from './core/bulk.js';
import { forgetBulkChanges, onBulkChangeOfTracker, watchBulkChanges } from './core/bulk-changes.js';
import { nowText } from './core/clock.js';
import { ask, cancelQuestion, dialogs, onDialogChange, tell } from './core/dialog.js';
import { firstSession } from './core/first.js';
import { closeFinder, isFinderKey, onFinderChange } from './core/finder.js';
import { closeMenu, frame, headingOf, searchFrom } from './core/frame.js';
import { languageChoice, showTheme } from './core/settings.js';
import { closeIfDone, learnProvider, onSignInElsewhere, takeOutcome, tellTabs } from './core/provider.js';
import { countAgain } from './core/total.js';
import { Visit } from './core/visit.js';
import { locale, t, wordsFor } from './core/words.js';
import { aboutZone } from './core/zone.js';
import './core/chart.js';
import { loadAll, pageAt } from './pages.js';
import { closeSignInDialog, showSignInDialog, signInDialog, signInView } from './pages/sign-in.js';

const HOME = '#/';

/** The overview is about all node groups. */
const HOME_OF_LIMITED = '#/groups';

const AGAIN_MILLIS = [1_000, 2_000, 3_000, 5_000];

let session = null;
let signInFailure = null;

/** While the session has ended and the page is still there; what was typed in it is not lost. */
let sessionOver = false;
let wasNotChanged = false;
let shown = null;
let lostSince = null;
let failures = 0;
let areOthersAsked = false;

/** The address of the page that is shown, and its place among those that Back leads to. */
let at = { hash: '', step: 0 };

/**
 * What a visit of a page, and the frame around it, know of the rest.
 *
 * @type {Surroundings}
 */
const around = {
  session: () => session,
  shown: () => shown,
  lostSince: () => lostSince,
  pauseOfLoss: () => (failures > 0 ? AGAIN_MILLIS[Math.min(failures, AGAIN_MILLIS.length) - 1] : null),
  noteAnswer() {
    failures = 0;
    lostSince = null;
  },
  noteLoss,
  noteUnchanged() {
    wasNotChanged = true;
  },
  loadOthers,
  draw,
  drawAnew,
  signOut,
  signInAgain: () => (sessionOver ? signInDialog({ name: session.name, failure: signInFailure, signIn }) : nothing),
};

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
    shown?.again(around.pauseOfLoss());
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
  if (shown?.hasDraft && !(await mayLeave(shown, hash))) {
    return;
  }
  const place = await placeAt(hash);
  if (place !== null && session !== null && location.hash === hash) {
    show(place);
  }
}

/** Asks whether what was typed may be lost, and goes back to it if not. By then another address may have been asked for. */
async function mayLeave(visit, hash) {
  if (hash === at.hash) {
    return false;
  }
  const yes = await ask({ title: t('leave.title'), text: t('leave.text'), yes: t('leave.yes'), danger: true });
  if (shown !== visit || location.hash !== hash) {
    return false;
  }
  if (!yes) {
    history.go(at.step - stepOf(history.state));
  }
  return Boolean(yes);
}

/** A page that is opened anew has no state yet, and is behind the one that was shown. */
const stepOf = (state) => state?.step ?? at.step + 1;

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
  at = { hash: location.hash, step: stepOf(history.state) };
  history.replaceState({ step: at.step }, '');
  closeMenu();
  shown = new Visit(place, around);
  const isSamePage = before?.address === shown.address;
  if (isSamePage && before.definition === shown.definition && before.mustChooseGroup === shown.mustChooseGroup) {
    shown.borrow(before);
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
  render(session === null ? signedOut() : frame(shown, around), document.body);
  document.title = session === null ? 'Millrace' : `${headingOf(shown)} · Millrace`;
}

/** After what the page is drawn with has changed. */
function drawAnew() {
  draw();
  shown?.load();
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
    watchBulkChanges();
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
  watchBulkChanges();
}

/** Nothing of the page is left, neither its data nor what was typed in it. */
function leavePage() {
  sessionOver = false;
  wasNotChanged = false;
  cancelQuestion();
  closeFinder();
  forgetAll();
  forgetBulkChanges();
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
  watchBulkChanges();
}

/** Another tab may have signed in meanwhile. */
async function lookForSession() {
  try {
    welcome(await api.whoAmI());
  } catch {
    showSignInDialog();
  }
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

function searchByKey(event) {
  if (isFinderKey(event) && session !== null) {
    event.preventDefault();
    searchFrom(shown, around);
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

/** Of a change of many: what it has changed is read again where it is shown. */
function ended({ address }) {
  countAgain();
  if (shown?.address === address) {
    shown.load();
  }
}

onDialogChange(draw);
onFinderChange(draw, noteLoss);
onBulkChange({ changed: draw, signedOut: noteLoss, ended });
onBulkChangeOfTracker({ changed: draw, ended });
api.onOtherOperator(changeOperator);
addEventListener('hashchange', open);
addEventListener('beforeunload', (event) => shown?.hasDraft && event.preventDefault());
addEventListener('keydown', searchByKey);
document.addEventListener('visibilitychange', lookAgain);
onSignInElsewhere(() => sessionOver && lookForSession());
showTheme();
showProvider(resume());
