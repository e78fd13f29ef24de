// Runs in every page before the page itself: notes what goes wrong, and finds things as people do, by what they read.
(() => {
  const complaints = [];
  let pending = 0;

  document.addEventListener('securitypolicyviolation', (event) =>
    complaints.push(`forbidden by the security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
  );
  addEventListener('error', (event) => complaints.push(`error: ${event.message} ${event.filename}:${event.lineno}`));
  addEventListener('unhandledrejection', (event) => complaints.push(`nobody cared for: ${event.reason}`));

  const ask = window.fetch;
  window.fetch = async (...args) => {
    pending++;
    try {
      return await ask(...args);
    } finally {
      setTimeout(() => pending--, 30);
    }
  };

  const TEXT_TYPES = ['text', 'search', 'password', 'url', 'email', 'tel'];
  const plain = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const isVisible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const scope = () => document.querySelector('dialog[open]') ?? document.body;

  function names(element) {
    return [plain(element.getAttribute('aria-label')), plain(element.textContent), plain(element.title)];
  }

  function one(found, what) {
    if (found.length > 1) {
      throw new Error(`${found.length} times ${what}`);
    }
    return found[0] ?? null;
  }

  /** The row of a table, or another block, that has this text in a link or a cell. */
  function row(text) {
    const rows = [...scope().querySelectorAll('tbody tr')].filter(isVisible);
    return one(
      rows.filter((each) => [...each.querySelectorAll('td, td a')].some((cell) => plain(cell.textContent) === text)),
      `a row with ${text}`,
    );
  }

  function clickable(text, within) {
    const all = [...within.querySelectorAll('button, a[href], summary')].filter(isVisible);
    return one(
      all.filter((element) => names(element).includes(text)),
      `something to click called ${text}`,
    );
  }

  function labelText(label) {
    const copy = label.cloneNode(true);
    copy.querySelectorAll('select, textarea, datalist, progress').forEach((control) => control.remove());
    return plain(copy.textContent);
  }

  function field(text, within) {
    const labels = [...within.querySelectorAll('label')].filter((label) => labelText(label) === text);
    const labelled = labels.map((label) => label.control);
    const named = [...within.querySelectorAll('input, select, textarea')].filter(
      (control) => control.getAttribute('aria-label') === text,
    );
    return one([...new Set([...labelled, ...named])].filter(Boolean), `a field called ${text}`);
  }

  function isSettled() {
    return (
      document.readyState === 'complete' &&
      pending === 0 &&
      document.querySelector('h1') !== null &&
      document.querySelector('[aria-busy=true]') === null
    );
  }

  /** Goes on once nothing is loading any more. */
  function settle(done) {
    const look = () => (isSettled() ? requestAnimationFrame(() => done(true)) : setTimeout(look, 15));
    setTimeout(look, 0);
  }

  window.watch = {
    /** The directory from which the page has its modules. */
    base: () => new URL('.', document.querySelector('script[type=module]').src).pathname,
    complaints: () => complaints.splice(0),
    clickable: (text, rowText) => {
      const within = rowText ? row(rowText) : scope();
      return within && clickable(text, within);
    },
    field: (text) => field(text, scope()),
    row,
    textFields: () =>
      [...scope().querySelectorAll('input, textarea')].filter(
        (each) => isVisible(each) && !each.readOnly && (each.type === 'textarea' || TEXT_TYPES.includes(each.type)),
      ),
    submitForms: () =>
      [...scope().querySelectorAll('form')].forEach((form) => {
        form.noValidate = true;
        form.requestSubmit();
      }),
    clickFirst: (text) => {
      const first = [...scope().querySelectorAll('button')].find((each) => isVisible(each) && plain(each.innerText) === text);
      if (!first || first.disabled) {
        return false;
      }
      first.click();
      return true;
    },
    texts: (selector) => [...document.querySelectorAll(selector)].filter(isVisible).map((each) => plain(each.innerText)),
    settle,
    open: (hash, done) => {
      location.hash = hash;
      settle(done);
    },
  };
})();
