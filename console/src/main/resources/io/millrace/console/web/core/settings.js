/** How the user of this browser wants to see the console: the language, the colours, the time zone. The browser remembers it. */

import { html } from '/console/lib/lit-html/lit-html.js';
import { tell } from './dialog.js';
import { fieldOf, instantOf } from './format.js';
import { choice } from './view.js';
import { currentLanguage, languages, speak, t } from './words.js';
import { browserZone, chooseZone, chosenZone, ZONE_CHOICES } from './zone.js';

export const THEMES = ['auto', 'light', 'dark'];
const THEME_KEPT_AS = 'millrace.theme';

/**
 * What is rarely chosen: the language and the colours.
 *
 * @param changed draws the page again, and loads it again for the texts that the tracker writes
 */
export function displayMenu(changed) {
  return html`<button type="button" class="quiet" popovertarget="display">${t('display')}</button>
    <div id="display" popover>${languageChoice(changed)} ${themeChoice()}</div>`;
}

export function languageChoice(changed) {
  const speakChosen = (event) => speakIn(event.currentTarget.value, changed);
  return html`<label>${t('language')} ${choice('language', currentLanguage(), Object.entries(languages), speakChosen)}</label>`;
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

function themeChoice() {
  const themes = THEMES.map((theme) => [theme, t(`theme.${theme}`)]);
  return html`<label>${t('theme')} ${choice('theme', keptTheme(), themes, (event) => chooseTheme(event.currentTarget.value))}</label>`;
}

export function chooseTheme(theme) {
  localStorage.setItem(THEME_KEPT_AS, theme);
  showTheme();
  document.dispatchEvent(new Event('theme'));
}

/** @param changed as above */
export function zoneChoice(changed) {
  const zones = ZONE_CHOICES.map((name) => [name, t(`zone.${name}`, { zone: browserZone })]);
  const chooseShown = (event) => chooseTimes(event.currentTarget.value, changed);
  return html`<label><span class="unseen">${t('zone')}</span>${choice('shown-zone', chosenZone(), zones, chooseShown)}</label>`;
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

const keptTheme = () => localStorage.getItem(THEME_KEPT_AS) ?? 'auto';

export function showTheme() {
  document.documentElement.dataset.theme = keptTheme();
}
