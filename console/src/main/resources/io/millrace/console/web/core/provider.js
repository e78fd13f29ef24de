/** Sign-in through an identity provider, if the tracker has one. */

import { address, get, withQuery } from './api.js';

/** Where the tracker sends the browser with the outcome of a sign-in. */
const OUTCOME = '#/sign-in/';
const DONE = 'DONE';

const tabs = new BroadcastChannel('millrace-sign-in');
let provider = null;

/** The name of the identity provider; null if there is none, or while that is not known. */
export const providerName = () => provider;

export async function learnProvider() {
  provider = (await get('/session/provider')).name;
}

/** Where this tab signs in, to show the page that is open now. */
export const signInAddress = () => begin(location.hash || '#/');

/** Signs in in a window of its own: this tab keeps what was typed. */
export function signInElsewhere() {
  open(begin(OUTCOME + DONE), 'millrace-sign-in', 'popup,width=600,height=760');
}

const begin = (page) => withQuery(address('/session/provider/begin'), { page });

/** Takes the outcome of a sign-in out of the address: why it failed, or that it is done in a window of its own; undefined if there is none. */
export function takeOutcome() {
  const [, outcome] = location.hash.split(OUTCOME);
  if (outcome !== undefined) {
    history.replaceState(null, '', '#/');
  }
  return outcome;
}

/** Closes the window that another tab has opened to sign in. */
export function closeIfDone(outcome) {
  if (outcome === DONE) {
    close();
  }
}

/** Tells other tabs that somebody has signed in. */
export const tellTabs = () => tabs.postMessage('');

export function onSignInElsewhere(listener) {
  tabs.onmessage = listener;
}
