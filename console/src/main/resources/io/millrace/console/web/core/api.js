/** All that the console asks of the tracker: the same API, under /api/v1, that programs use. */

const PATIENCE_MILLIS = 20_000;

let csrfToken = null;

/** The tracker refused, and says why. */
export class Problem extends Error {
  constructor(status, { title = '', detail = '', currentVersion } = {}) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.currentVersion = currentVersion;
  }
}

/** Nothing came back: the tracker restarts, or is not there. */
export class Unreachable extends Error {}

/** A path whose values are encoded: path`/jobs/${group}/${task}`. */
export function path(texts, ...values) {
  return texts.reduce((whole, text, i) => whole + encodeURIComponent(values[i - 1]) + text);
}

/** The path with a query of those values that are there. */
export function withQuery(base, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return text ? `${base}?${text}` : base;
}

export const get = (url) => call('GET', url);
export const post = (url, body) => call('POST', url, body);
/** Puts what was got under this tag: refused with status 412 if it has changed since. */
export const put = (url, body, tag) => call('PUT', url, body, { 'If-Match': tag });
/** What there is, and as "tag" the version that it is of. */
export const getTagged = async (url) => {
  let tag;
  const answer = await call('GET', url, undefined, {}, (response) => (tag = response.headers.get('ETag')));
  return { ...answer, tag };
};
export const remove = (url) => call('DELETE', url);

/** The address of what the browser gets by itself, such as a download. */
export const address = (url) => `/api/v1${url}`;

/** Events of a stream, from behind the sequence number that is given; close() ends it. */
export function events(url) {
  return new EventSource(address(url));
}

/** Begins a session; the cookie that stands for it is out of the reach of scripts. */
export async function signIn(token) {
  return remember(await call('POST', '/session', { token }));
}

/** Who is signed in. */
export async function whoAmI() {
  return remember(await call('GET', '/session'));
}

export async function signOut() {
  await call('DELETE', '/session');
  csrfToken = null;
}

function remember(session) {
  csrfToken = session.csrfToken ?? null;
  return session;
}

async function call(method, url, body, more = {}, look = () => {}) {
  const headers = { Accept: 'application/json', ...more };
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  if (method !== 'GET' && csrfToken !== null) {
    headers['X-CSRF-Token'] = csrfToken;
  }
  let response;
  let answer;
  try {
    response = await fetch(`/api/v1${url}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    });
    answer = response.status === 204 ? null : await response.json();
  } catch (failure) {
    throw new Unreachable(failure.message);
  }
  if (!response.ok) {
    throw new Problem(response.status, answer ?? {});
  }
  look(response);
  return answer;
}
