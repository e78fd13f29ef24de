/** The table of contents: every page, where it is, and the module that has it. */

/**
 * From the special to the general: the first that fits is it. A name with a colon is a value. Then what the module exports, how it is
 * loaded, and the address in the navigation of pages that are not in it themselves.
 *
 * @type {[string, string, () => Promise<any>, string?][]}
 */
const PAGES = [
  ['/', 'overview', () => import('./pages/overview.js')],
  ['/late', 'late', () => import('./pages/late.js')],
  ['/upcoming', 'upcoming', () => import('./pages/upcoming.js')],
  ['/jobs', 'jobs', () => import('./pages/jobs.js')],
  ['/jobs/:group/:task', 'job', () => import('./pages/job.js'), '/jobs'],
  ['/jobs/:group/:task/changes', 'changes', () => import('./pages/changes.js'), '/jobs'],
  ['/jobs/:group/:task/edit', 'edit', () => import('./pages/submit.js'), '/jobs'],
  ['/jobs/:group/:task/duplicate', 'duplicate', () => import('./pages/submit.js'), '/jobs'],
  ['/submit', 'submit', () => import('./pages/submit.js')],
  ['/running', 'running', () => import('./pages/running.js')],
  ['/waiting', 'waiting', () => import('./pages/waiting.js')],
  ['/executions/:id', 'execution', () => import('./pages/execution.js'), '/running'],
  ['/batches', 'batches', () => import('./pages/batch.js')],
  ['/batches/:id', 'batch', () => import('./pages/batch.js'), '/batches'],
  ['/history', 'history', () => import('./pages/history.js')],
  ['/timeline', 'timeline', () => import('./pages/timeline.js')],
  ['/week', 'week', () => import('./pages/week.js')],
  ['/dead', 'dead', () => import('./pages/dead.js')],
  ['/dead/:id', 'deadTrigger', () => import('./pages/dead-trigger.js'), '/dead'],
  ['/groups', 'groups', () => import('./pages/groups.js')],
  ['/workers', 'workers', () => import('./pages/workers.js')],
  ['/workers/:worker', 'worker', () => import('./pages/worker.js'), '/workers'],
  ['/audit', 'audit', () => import('./pages/audit.js')],
  ['/bulk', 'bulkChanges', () => import('./pages/bulk-changes.js')],
  ['/tokens', 'tokens', () => import('./pages/tokens.js')],
];

export const NAVIGATION = [
  {
    name: 'nav.now',
    pages: [
      entry('/', 'overview.title', { isOfAll: true }),
      entry('/late', 'late.title', { isOfAll: true }),
      entry('/running', 'running.title'),
      entry('/batches', 'batches.title'),
      entry('/waiting', 'waiting.title'),
      entry('/upcoming', 'upcoming.title'),
    ],
  },
  {
    name: 'nav.jobs',
    pages: [
      entry('/jobs', 'jobs.title'),
      entry('/submit', 'submit.title', { role: 'OPERATE' }),
      entry('/history', 'history.title'),
      entry('/timeline', 'timeline.title'),
      entry('/week', 'week.title'),
      entry('/dead', 'dead.title'),
    ],
  },
  { name: 'nav.machines', pages: [entry('/groups', 'groups.title'), entry('/workers', 'workers.title')] },
  {
    name: 'nav.people',
    pages: [
      entry('/bulk', 'bulk-changes.title'),
      entry('/audit', 'audit.title', { isOfAll: true }),
      entry('/tokens', 'tokens.title', { role: 'ADMIN' }),
    ],
  },
];

/**
 * @param role that it takes; every one if not said
 * @param isOfAll whether it is about all node groups, which is not for tokens that are limited to some
 */
function entry(address, title, { role, isOfAll = false } = {}) {
  return { address, title, role, isOfAll };
}

/** The page of an address such as #/jobs/orders/tick?status=DEAD, once its module is loaded; an unknown one says so. */
export async function pageAt(hash) {
  const [address, query = ''] = hash.replace(/^#/, '').split('?');
  const parts = (address || '/').split('/');
  for (const [template, name, load, within = template] of PAGES) {
    const params = match(template.split('/'), parts);
    if (params !== null) {
      const { [name]: definition } = await load();
      return { definition, within, params, query: Object.fromEntries(new URLSearchParams(query)), address };
    }
  }
  const { notFound } = await import('./pages/not-found.js');
  return { definition: notFound, within: '', params: {}, query: {}, address };
}

/** Loads the pages that were not opened yet, so that each opens at once, also when the tracker is away or has been replaced. */
export const loadAll = () => Promise.all([...PAGES.map(([, , load]) => load()), import('./pages/not-found.js')]);

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
