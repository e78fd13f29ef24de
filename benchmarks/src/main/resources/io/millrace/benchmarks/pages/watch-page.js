// Runs in a page before the page's own scripts: finds out when the page showed its data, when nothing changed any more, and what
// it asked the API for.
(() => {
  const QUIET_MILLIS = 300;
  let pending = 0;
  let shown = 0;
  let changed = 0;

  const hasContent = () => document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null;

  const note = () => {
    changed = performance.now();
    if (shown === 0 && hasContent()) {
      shown = changed;
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  const ask = window.fetch;
  window.fetch = async (...args) => {
    pending++;
    try {
      return await ask(...args);
    } finally {
      pending--;
      note();
    }
  };

  const requests = () =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.initiatorType === 'fetch' && entry.name.includes('/api/'))
      .map((entry) => ({ path: entry.name.slice(location.origin.length), millis: entry.duration }));

  /** Calls back once nothing has changed for a while. */
  window.watchPage = (done) => {
    const look = () =>
      shown > 0 && pending === 0 && performance.now() - changed >= QUIET_MILLIS
        ? done({ shown, settled: changed, requests: requests() })
        : setTimeout(look, 10);
    look();
  };
})();
