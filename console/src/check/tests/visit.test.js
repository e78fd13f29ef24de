import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { Visit } = await web('core/visit.js');
const { Problem } = await web('core/api.js');

/** A visit, and what the console around it was told. */
function visited(definition, { session = { role: 'OPERATE' }, isHandled = false } = {}) {
  const told = [];
  const note =
    (what) =>
    (...values) => {
      told.push([what, ...values]);
      return isHandled;
    };
  /** @type {any} */
  const visit = new Visit(
    { definition: { every: 0, ...definition }, within: '/x', params: {}, query: {}, address: '/x' },
    {
      session: () => session,
      shown: () => (visit.isLeft ? null : visit),
      lostSince: () => null,
      pauseOfLoss: () => null,
      noteAnswer: note('answer'),
      noteLoss: note('loss'),
      noteUnchanged: note('unchanged'),
      loadOthers: note('others'),
      draw: note('draw'),
      drawAnew: note('anew'),
      signOut: note('out'),
      signInAgain: () => null,
    },
  );
  return { visit, told };
}

test('a page shows what it has loaded', async () => {
  const { visit, told } = visited({ load: async () => ({ items: [1] }) });

  await visit.load();

  assert.deepEqual(visit.data, { items: [1] });
  assert.deepEqual(told, [['answer'], ['draw'], ['others']]);
});

test('a page that has only begun goes on at once, and the others are loaded behind it', async () => {
  const { visit, told } = visited({ load: async ({ data }) => ({ isBegun: data === null, items: data ? [1, 2] : [1] }) });

  await visit.load();

  assert.deepEqual(visit.data.items, [1, 2]);
  assert.deepEqual(told, [['answer'], ['draw'], ['answer'], ['draw'], ['others']]);
});

test('what arrives after the page was left is thrown away', async () => {
  const { visit, told } = visited({
    load: async () => {
      visit.isLeft = true;
      return { items: [1] };
    },
  });

  await visit.load();

  assert.equal(visit.data, null);
  assert.deepEqual(told, []);
});

/** A visit whose loads are answered by hand, in any order. */
function answeredByHand() {
  const answers = [];
  const { visit, told } = visited({ load: () => new Promise((yes, no) => void answers.push({ yes, no })) });
  return { visit, told, answers };
}

test('an answer that was asked for before a change does not take the place of the one after it', async () => {
  const { visit, told, answers } = answeredByHand();
  const refresh = visit.load({ isRefresh: true });
  const change = visit.act(async () => {});
  await Promise.resolve();

  answers[1].yes({ state: 'PAUSED' });
  await change;
  answers[0].yes({ state: 'ACTIVE' });
  await refresh;

  assert.deepEqual(visit.data, { state: 'PAUSED' });
  assert.deepEqual(told, [['answer'], ['draw'], ['others']]);
});

test('a failure of an older load is none of the newer one', async () => {
  const { visit, told, answers } = answeredByHand();
  const [older, newer] = [visit.load(), visit.load()];

  answers[0].no(new Error('no such job'));
  answers[1].yes({ items: [1] });
  await Promise.all([older, newer]);

  assert.equal(visit.failure, null);
  assert.deepEqual(told, [['answer'], ['draw'], ['others']]);
});

test('what another search has found is shown until its own answer is there, and no longer', async () => {
  const refused = new Error('there is no node group dem');
  const { visit } = visited({ load: () => Promise.reject(refused) });
  visit.borrow({ data: { items: [1] }, loadedAt: '2030-01-01T00:00:00Z' });
  assert.deepEqual(visit.data, { items: [1] });

  await visit.load();

  assert.deepEqual([visit.data, visit.loadedAt, visit.failure], [null, null, refused]);
});

test('a refresh that fails leaves what is shown', async () => {
  const answers = [async () => ({ items: [1] }), () => Promise.reject(new Error('no'))];
  const { visit } = visited({ load: () => answers.shift()() });
  visit.borrow({ data: { items: [2] }, loadedAt: null });
  await visit.load();

  await visit.load({ isRefresh: true });

  assert.deepEqual(visit.data, { items: [1] });
});

test('a failure that nobody deals with is shown', async () => {
  const failure = new Error('no such job');
  const { visit, told } = visited({ load: () => Promise.reject(failure) });

  await visit.load();

  assert.equal(visit.failure, failure);
  assert.deepEqual(told, [['loss', failure], ['draw'], ['others']]);
});

test('a change that met the end of the session is told to the console, and nothing is said of it', async () => {
  const signedOut = new Problem(401);
  const { visit, told } = visited({ load: async () => ({}) }, { isHandled: true });

  await visit.act(() => Promise.reject(signedOut), 'done');

  assert.deepEqual(told, [['loss', signedOut], ['unchanged']]);
});

test('a role includes the lower ones', () => {
  const { visit } = visited({});

  assert.deepEqual([visit.may('VIEW'), visit.may('OPERATE'), visit.may('ADMIN')], [true, true, false]);
});

test('a viewer may change the node groups that the token operates', () => {
  const { visit } = visited({}, { session: { role: 'VIEW', operates: ['billing'] } });

  assert.deepEqual(
    [visit.may('OPERATE', 'billing'), visit.may('OPERATE', 'orders'), visit.may('OPERATE'), visit.maySome('OPERATE')],
    [true, false, false, true],
  );
});

test('a token of several node groups chooses one where the API needs it', () => {
  const choices = [['a', 'b'], ['a*'], ['a'], undefined].map(
    (nodeGroups) => visited({ groupIn: 'group' }, { session: { role: 'VIEW', nodeGroups } }).visit.mustChooseGroup,
  );

  assert.deepEqual(choices, [true, true, false, false]);
});
