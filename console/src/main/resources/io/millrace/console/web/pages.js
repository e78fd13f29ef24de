/** The table of contents: every page, and where it is. */

import { audit } from './pages/audit.js';
import { batch, batches } from './pages/batch.js';
import { changes } from './pages/changes.js';
import { dead } from './pages/dead.js';
import { deadTrigger } from './pages/dead-trigger.js';
import { execution } from './pages/execution.js';
import { groups } from './pages/groups.js';
import { history } from './pages/history.js';
import { job } from './pages/job.js';
import { jobs } from './pages/jobs.js';
import { late } from './pages/late.js';
import { notFound } from './pages/not-found.js';
import { overview } from './pages/overview.js';
import { running } from './pages/running.js';
import { duplicate, edit, submit } from './pages/submit.js';
import { timeline } from './pages/timeline.js';
import { tokens } from './pages/tokens.js';
import { upcoming } from './pages/upcoming.js';
import { waiting } from './pages/waiting.js';
import { week } from './pages/week.js';
import { worker } from './pages/worker.js';
import { workers } from './pages/workers.js';

/** From the special to the general: the first that fits is it. A name with a colon is a value. */
const PAGES = [
  ['/', overview],
  ['/late', late],
  ['/upcoming', upcoming],
  ['/jobs', jobs],
  ['/jobs/:group/:task', job],
  ['/jobs/:group/:task/changes', changes],
  ['/jobs/:group/:task/edit', edit],
  ['/jobs/:group/:task/duplicate', duplicate],
  ['/submit', submit],
  ['/running', running],
  ['/waiting', waiting],
  ['/executions/:id', execution],
  ['/batches', batches],
  ['/batches/:id', batch],
  ['/history', history],
  ['/timeline', timeline],
  ['/week', week],
  ['/dead', dead],
  ['/dead/:id', deadTrigger],
  ['/groups', groups],
  ['/workers', workers],
  ['/workers/:worker', worker],
  ['/audit', audit],
  ['/tokens', tokens],
];

export const NAVIGATION = [
  {
    name: 'nav.now',
    pages: [
      entry('/', overview, { isOfAll: true }),
      entry('/late', late, { isOfAll: true }),
      entry('/running', running),
      entry('/batches', batches),
      entry('/waiting', waiting),
      entry('/upcoming', upcoming),
    ],
  },
  {
    name: 'nav.jobs',
    pages: [
      entry('/jobs', jobs),
      entry('/submit', submit, { role: 'OPERATE' }),
      entry('/history', history),
      entry('/timeline', timeline),
      entry('/week', week),
      entry('/dead', dead),
    ],
  },
  { name: 'nav.machines', pages: [entry('/groups', groups), entry('/workers', workers)] },
  { name: 'nav.people', pages: [entry('/audit', audit, { isOfAll: true }), entry('/tokens', tokens, { role: 'ADMIN' })] },
];

/**
 * @param role that it takes; every one if not said
 * @param isOfAll whether it is about all node groups, which is not for tokens that are limited to some
 */
function entry(address, definition, { role, isOfAll = false } = {}) {
  return { address, definition, role, isOfAll, title: definition.nav ?? definition.title };
}

/** The page of an address such as #/jobs/orders/tick?status=DEAD; an unknown one says so. */
export function pageAt(hash) {
  const [address, query = ''] = hash.replace(/^#/, '').split('?');
  const parts = (address || '/').split('/');
  for (const [template, definition] of PAGES) {
    const params = match(template.split('/'), parts);
    if (params !== null) {
      return { definition, params, query: Object.fromEntries(new URLSearchParams(query)), address };
    }
  }
  return { definition: notFound, params: {}, query: {}, address };
}

function match(template, parts) {
  if (template.length !== parts.length) {
    return null;
  }
  /** @type {Record<string, string>} */
  const params = {};
  for (let i = 0; i < parts.length; i++) {
    if (template[i].startsWith(':')) {
      params[template[i].slice(1)] = decoded(parts[i]);
    } else if (template[i] !== parts[i]) {
      return null;
    }
  }
  return params;
}

/** A part with invalid percent-encoding is used as it is, and will not be found. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
