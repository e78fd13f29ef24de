/** What the search does besides leading to pages: it changes how the console looks, and does something to a job that is named. */

import { cancelJob, pauseJob, resumeJob, runJob } from './actions.js';
import { jobsNamed } from './finder.js';
import { chooseTheme, chooseTimes, speakIn, THEMES } from './settings.js';
import { languages, t } from './words.js';
import { browserZone, ZONE_CHOICES } from './zone.js';

/** What is done to a job, by the name of its word, and in which state; in any in which it may still run if that is undefined. */
const ON_JOBS = {
  run: { act: runJob, state: undefined },
  pause: { act: pauseJob, state: 'ACTIVE' },
  resume: { act: resumeJob, state: 'PAUSED' },
  cancel: { act: cancelJob, state: undefined },
};
const LIVE = ['ACTIVE', 'PAUSED'];

/** @param {Surroundings} around */
export const commandsOfConsole = (around) => [
  ...THEMES.map((theme) => command(`${t('theme')}: ${t(`theme.${theme}`)}`, () => chooseTheme(theme))),
  ...ZONE_CHOICES.map((zone) => command(t(`zone.${zone}`, { zone: browserZone }), () => chooseTimes(zone, around.drawAnew))),
  ...Object.entries(languages).map(([code, name]) => command(`${t('language')}: ${name}`, () => speakIn(code, around.drawAnew))),
  command(t('sign-out'), around.signOut),
];

const command = (name, run, note = undefined) => ({ kind: 'command', name, note, run });

/** Commands such as "pause nightly": the first word is the command's, or all of its words are, and the rest is part of the name of a job. */
export async function commandsOnJobs(visit, text) {
  const wanted = Object.entries(ON_JOBS).flatMap(([name, { act, state }]) => {
    const label = t(`act.${name}`);
    const named = behind(label, text);
    return named === '' ? [] : [{ label, act, state, named }];
  });
  if (!visit.maySome('OPERATE')) {
    return [];
  }
  const found = await Promise.all(wanted.map(({ named, state }) => jobsNamed(named, state)));
  return wanted.flatMap(({ label, act }, i) =>
    found[i]
      .filter(({ state, nodeGroup }) => LIVE.includes(state) && visit.may('OPERATE', nodeGroup))
      .map((job) => command(`${label}: ${job.taskId}`, () => act(visit, job), job.nodeGroup)),
  );
}

/** What follows the label of a command, or its first word or the beginning of that; empty if the text is of another command. */
export function behind(label, text) {
  const whole = `${label.toLowerCase()} `;
  if (text.toLowerCase().startsWith(whole)) {
    return text.slice(whole.length).trim();
  }
  const [first, ...rest] = text.split(' ');
  return whole.startsWith(first.toLowerCase()) ? rest.join(' ').trim() : '';
}
