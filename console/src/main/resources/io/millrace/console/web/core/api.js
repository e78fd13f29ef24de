/** All that the console asks of the tracker: the same API, under /api/v1, that programs use. */

import { learn } from './clock.js';
import { currentLanguage, wordsFor } from './words.js';

const PATIENCE_MILLIS = 20_000;

/** The time at which the tracker answered, in epoch milliseconds. */
const CLOCK = 'Millrace-Time';

/** Who is signed in, with the token that changes need; null if that is not known. */
let session = null;
let toldOfOthers = () => {};

/** The tracker refused, and says why. */
export class Problem extends Error {
  constructor(status, { title = '', detail = '', currentVersion } = {}) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.currentVersion = currentVersion;
  }
}

/** Another tab has signed in somebody else; the listener for that has been told. */
export class OtherOperator extends Problem {}

/** Nothing came back: the tracker restarts, or is not there. */
export class Unreachable extends Error {}

/** The problem of an answer, whose detail has a lead in the language of the page, by its code or else by its status. */
function problemOf(status, { title = '', detail = title, code, ...more }) {
  const led = wordsFor('problem', code, { detail }) ?? wordsFor('problem', String(status), { detail });
  return new Problem(status, { title, detail: led ?? detail, ...more });
}

/** Whether the tracker is away, or has no database, and may be back in a moment. */
export const isAway = (failure) => failure instanceof Unreachable || failure.status === 503;

/** A path whose values are encoded: path`/jobs/${group}/${task}`. */
export function path(texts, ...values) {
  return texts.reduce((whole, text, i) => whole + encodeURIComponent(values[i - 1]) + text);
}

/** The path with a query of those values that are there. */
export function withQuery(base, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(/** @type {Query} */ (values))) {
    if (value !== undefined && value !== null && value !== '') {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return /** @type {any} */ (text ? `${base}?${text}` : base);
}

/**
 * @param end a signal that ends the request, which then fails
 * @param patience milliseconds after which it fails without an answer
 */
export const get = (url, end, patience) => call('GET', url, undefined, {}, undefined, end, patience);
/** What has texts in it: in the language of the page. */
export const getTexts = (base, values) => get(withQuery(base, /** @type {any} */ ({ ...values, language: currentLanguage() })));
export const post = (url, body) => call('POST', url, body);
/** Puts what was got under this tag: refused with status 412 if it has changed since. */
export const put = (url, body, tag) => call('PUT', url, body, { 'If-Match': tag });
/** What there is, and as "tag" the version that it is of. */
export const getTagged = async (url) => {
  let tag;
  const answer = await call('GET', url, undefined, {}, (response) => (tag = response.headers.get('ETag')));
  return { ...answer, tag };
};
/** What was asked for; null if it does not exist. */
export const orNull = (asked) =>
  asked.catch((failure) => {
    if (failure instanceof Problem && failure.status === 404) {
      return null;
    }
    throw failure;
  });
export const remove = (url) => call('DELETE', url);

/**
 * The first page of a list that has something: a page examines a bounded number of rows, and may have none although there are more.
 *
 * @param read reads the page at a place
 * @param after the place to begin at; undefined for the beginning
 * @param goesOn whether to read on; false once the answer is of no use
 * @return the page, and whether it took more than one request
 */
export async function firstFound(read, after, goesOn) {
  let found = await read(after);
  let isFarSearch = false;
  while (found.items.length === 0 && found.next && goesOn()) {
    found = await read(found.next);
    isFarSearch = true;
  }
  return { ...found, isFarSearch };
}

/** The items of a list from its beginning, page by page until there are this many; "next" is the place of more, if there are any. */
export async function upTo(most, read) {
  const items = [];
  let next;
  do {
    const page = await read(next);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < most);
  return { items, next };
}

/** The address of what the browser gets by itself, such as a download. */
export const address = (url) => `/api/v1${url}`;

/** Events of a stream, from behind the sequence number that is given; close() ends it. */
export function events(url) {
  return new EventSource(address(url));
}

/** What is to be called with the new session if another tab has signed in somebody else. */
export function onOtherOperator(listener) {
  toldOfOthers = listener;
}

/** Begins a session; the cookie that stands for it is out of the reach of scripts. */
export async function signIn(token) {
  return remember(await request('POST', '/session', { token }));
}

/** Who is signed in. */
export async function whoAmI() {
  return remember(await call('GET', '/session'));
}

export async function signOut() {
  await call('DELETE', '/session');
  session = null;
}

function remember(begun) {
  session = begun;
  return begun;
}

/** Who is signed in, as the tracker said last. */
export const signedIn = () => session;

/** A request; a change that has the token of an earlier session of this browser is repeated once with that of the present one. */
async function call(method, url, ...rest) {
  const before = session;
  try {
    return await request(method, url, ...rest);
  } catch (failure) {
    if (method !== 'GET' && failure.status === 403 && (await hasNewToken(before))) {
      return request(method, url, ...rest);
    }
    throw failure;
  }
}

/** Whether the same user has begun another session, in another tab. Changes are not repeated in the name of somebody else. */
async function hasNewToken(before) {
  const { name, role, csrfToken } = await whoAmI();
  if (name === before?.name && role === before?.role) {
    return csrfToken !== before?.csrfToken;
  }
  toldOfOthers(/** @type {Session} */ (session));
  throw new OtherOperator(403);
}

async function request(method, url, body, more = {}, look = () => {}, end = undefined, patience = PATIENCE_MILLIS) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json', ...more };
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  if (method !== 'GET' && session?.csrfToken) {
    headers['X-CSRF-Token'] = session.csrfToken;
  }
  let response;
  let answer;
  const asked = Date.now();
  try {
    response = await fetch(`/api/v1${url}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(end ? [end] : [])]),
    });
    learn(Number(response.headers.get(CLOCK) ?? NaN), asked, Date.now());
    answer = response.status === 204 ? null : await response.json();
  } catch (failure) {
    throw new Unreachable(failure.message);
  }
  if (!response.ok) {
    throw problemOf(response.status, answer ?? {});
  }
  look(response);
  return answer;
}
