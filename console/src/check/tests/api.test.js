import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { answering, fresh, web } from './setup.js';

let api;

beforeEach(async () => {
  api = await fresh('core/api.js');
});

test('a path has its values encoded, and a query only those that are there', () => {
  assert.equal(api.path`/jobs/${'a/b'}/${'ü ?'}`, '/jobs/a%2Fb/%C3%BC%20%3F');
  assert.equal(api.withQuery('/jobs', { group: 'a&b', after: undefined, prefix: '', state: null, limit: 0 }), '/jobs?group=a%26b&limit=0');
  assert.equal(api.withQuery('/jobs', {}), '/jobs');
});

test('a list is read on until a page has something, or is of no use', async () => {
  const pages = { undefined: { items: [], next: 'a' }, a: { items: [], next: 'b' }, b: { items: [1], next: 'c' } };
  const read = async (after) => pages[after];

  assert.deepEqual(await api.firstFound(read, undefined, () => true), { items: [1], next: 'c', isFarSearch: true });
  assert.deepEqual(await api.firstFound(read, 'b', () => true), { items: [1], next: 'c', isFarSearch: false });
  assert.deepEqual(await api.firstFound(read, undefined, () => false), { items: [], next: 'a', isFarSearch: false });
});

test('a list is read until there are so many items', async () => {
  const read = async (after = '0') => ({ items: [after, after], next: after === '3' ? undefined : String(Number(after) + 1) });

  assert.deepEqual(await api.upTo(3, read), { items: ['0', '0', '1', '1'], next: '2' });
  assert.deepEqual(await api.upTo(100, read), { items: ['0', '0', '1', '1', '2', '2', '3', '3'], next: undefined });
});

test('what was got is put with its tag, and an answer without a body is null', async () => {
  const asked = answering(({ method }) => (method === 'DELETE' ? [204] : [200, { taskId: 'tick' }]));

  assert.deepEqual(await api.getTagged('/jobs/a/b'), { taskId: 'tick', tag: '"7"' });
  await api.put('/jobs/a/b', { priority: 1 }, '"7"');
  assert.equal(await api.remove('/tokens/alice'), null);
  assert.deepEqual(asked.map(({ method, url }) => `${method} ${url}`), ['GET /api/v1/jobs/a/b', 'PUT /api/v1/jobs/a/b', 'DELETE /api/v1/tokens/alice']);
  assert.equal(asked[1].headers['If-Match'], '"7"');
  assert.deepEqual(asked[1].body, { priority: 1 });
});

test('a refusal says why, and no answer is told from it', async () => {
  answering(() => [412, { title: 'Precondition Failed', detail: 'version 3 is not 2', currentVersion: 3 }]);
  await assert.rejects(api.get('/jobs/a/b'), { status: 412, message: 'version 3 is not 2', currentVersion: 3 });

  answering(() => Promise.reject(new Error('no route')));
  await assert.rejects(api.get('/jobs/a/b'), api.Unreachable);
});

test('what the tracker says stands behind a lead in the language of the page, by the code or else by the status', async () => {
  const said = async (status, answer) => {
    answering(() => [status, answer]);
    return api.get('/jobs').catch(({ message }) => message);
  };
  const { speak } = await web('core/words.js');
  await speak('zh');
  assert.equal(await said(422, { code: 'BAD_CRON', detail: "second '61'" }), "cron 表达式无效：second '61'");
  assert.equal(await said(404, { detail: 'there is no node group dem' }), '未找到：there is no node group dem');
  assert.equal(await said(500, { title: 'The tracker failed' }), 'The tracker failed');
  await speak('en');

  assert.equal(await said(422, { code: 'BAD_CRON', detail: "second '61'" }), "second '61'");
  assert.equal(await said(409, { title: 'Conflict' }), 'Conflict');
});

/** Changes are refused unless they have the token of the session that the browser has by now. */
function sessions(now) {
  return ({ method, url, headers }) => {
    if (url === '/api/v1/session') {
      return [200, now()];
    }
    return method === 'GET' || headers['X-CSRF-Token'] === now().csrfToken ? [200, {}] : [403, { title: 'Forbidden' }];
  };
}

test('a change is repeated once with the token of a later session of the same user', async () => {
  let now = { name: 'alice', role: 'OPERATE', csrfToken: 'old' };
  const asked = answering(sessions(() => now));
  await api.whoAmI();
  now = { ...now, csrfToken: 'new' };

  await api.post('/jobs/a/b/resume');

  assert.deepEqual(asked.map(({ headers }) => headers['X-CSRF-Token']), [undefined, 'old', undefined, 'new']);
});

test('a change is not made in the name of another user', async () => {
  let now = { name: 'alice', role: 'OPERATE', csrfToken: 'old' };
  const asked = answering(sessions(() => now));
  const told = [];
  api.onOtherOperator((other) => told.push(other.name));
  await api.whoAmI();
  now = { name: 'bob', role: 'ADMIN', csrfToken: 'new' };

  await assert.rejects(api.post('/jobs/a/b/resume'), api.OtherOperator);

  assert.deepEqual(told, ['bob']);
  assert.equal(asked.filter(({ method }) => method === 'POST').length, 1);
});
