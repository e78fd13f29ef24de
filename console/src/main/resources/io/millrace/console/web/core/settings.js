/** How the user of this browser wants to see the console: the language, the colours, the time zone. The browser remembers it. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { tell } from './dialog.js';
import { fieldOf, instantOf } from './format.js';
import { choice } from './view.js';
import { currentLanguage, languages, speak, t } from './words.js';
import { browserZone, chooseZone, chosenZone, ZONE_CHOICES } from './zone.js';

export const THEMES = ['auto', 'light', 'dark'];
const THEME_KEPT_AS = 'millrace.theme';

/** @param changed draws the page again, and loads it again for the texts that the tracker writes */
export function languageChoice(changed) {
  return labelled(
    t('language'),
    choice('language', currentLanguage(), Object.entries(languages), (event) => speakIn(event.currentTarget.value, changed)),
  );
}

export async function speakIn(language, changed) {
  try {
    await speak(language);
  } catch {
    tell(t('lost.now'), 'bad');
  }
  changed();
  document.dispatchEvent(new Event('language'));
}

export function themeChoice() {
  return labelled(
    t('theme'),
    choice(
      'theme',
      keptTheme(),
      THEMES.map((theme) => [theme, t(`theme.${theme}`)]),
      (event) => chooseTheme(event.currentTarget.value),
    ),
  );
}

export function chooseTheme(theme) {
  localStorage.setItem(THEME_KEPT_AS, theme);
  showTheme();
  document.dispatchEvent(new Event('theme'));
}

/** @param changed as above */
export function zoneChoice(changed) {
  return labelled(
    t('zone'),
    choice(
      'shown-zone',
      chosenZone(),
      ZONE_CHOICES.map((name) => [name, t(`zone.${name}`, { zone: browserZone })]),
      (event) => chooseTimes(event.currentTarget.value, changed),
    ),
  );
}

/** What was typed into fields for a date and time goes on meaning the same instant. */
export function chooseTimes(choice, changed) {
  /** @type {[any, string | undefined][]} */
  const typed = [...document.querySelectorAll('input[type=datetime-local]')].map((field) => [field, instantOf(field.value)]);
  chooseZone(choice);
  changed();
  for (const [field, instant] of typed) {
    field.value = fieldOf(instant, field.step === '1' ? 19 : 16);
  }
}

const labelled = (name, control) => html`<label><span class="unseen">${name}</span>${control}</label>`;

const keptTheme = () => localStorage.getItem(THEME_KEPT_AS) ?? 'auto';

export function showTheme() {
  document.documentElement.dataset.theme = keptTheme();
}
