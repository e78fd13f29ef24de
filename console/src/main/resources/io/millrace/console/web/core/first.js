/** Asks for what every visit needs first, while the other modules are still on their way. */

const pages = import('../pages.js');
const api = import('./api.js');

/** Who is signed in; fails as the request does. */
export const firstSession = api.then(({ whoAmI }) => whoAmI());

/** The module of the page that is about to be opened. */
const firstPage = pages.then(({ pageAt }) => pageAt(location.hash));

// Who opens the page or waits for the session deals with a failure.
firstPage.catch(() => {});
firstSession.catch(() => {});
