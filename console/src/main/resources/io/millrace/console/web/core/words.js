/** The console's words, in the language that was chosen. */

import { visible } from './names.js';

export const languages = { en: 'English', zh: '中文' };

const KEPT_AS = 'millrace.language';

let language = chosen();
let catalogue = await catalogueOf(language);

function chosen() {
  const kept = localStorage.getItem(KEPT_AS);
  if (kept && kept in languages) {
    return kept;
  }
  return navigator.language.startsWith('zh') ? 'zh' : 'en';
}

/** A browser loads the language that it shows and no other. Both files of it are asked for at once. */
async function catalogueOf(name) {
  const [{ words }] = await Promise.all([import(`./words.${name}.js`), import(`./words.${name}.operation.js`)]);
  return words;
}

export function currentLanguage() {
  return language;
}

/** Fails, and changes nothing, if the words cannot be loaded. */
export async function speak(other) {
  document.documentElement.ariaBusy = 'true';
  try {
    catalogue = await catalogueOf(other);
  } finally {
    document.documentElement.ariaBusy = null;
  }
  language = other;
  localStorage.setItem(KEPT_AS, other);
  document.documentElement.lang = locale();
}

/** For what the browser writes by itself: numbers, dates. */
export function locale() {
  return language === 'zh' ? 'zh-CN' : 'en';
}

const formats = new Map();

/**
 * A format of the language, such as an Intl.NumberFormat. To make one costs far more than to use it.
 *
 * @param Format the constructor
 * @param options its options
 */
export function formatOf(Format, options = {}) {
  const key = `${Format.name} ${locale()} ${JSON.stringify(options)}`;
  if (!formats.has(key)) {
    formats.set(key, new Format(locale(), options));
  }
  return formats.get(key);
}

/**
 * The text of a key, its {names} replaced. What depends on a number n is an object of plural
 * categories. A key without text is a mistake, and shows.
 */
export function t(key, values = {}) {
  let text = catalogue[key];
  if (text === undefined) {
    return `⟦${key}⟧`;
  }
  if (typeof text === 'object') {
    text = text[formatOf(Intl.PluralRules).select(Number(values.n))] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => shown(values[name], whole));
}

function shown(value, otherwise) {
  if (value === undefined || value === null) {
    return otherwise;
  }
  return typeof value === 'number' ? formatOf(Intl.NumberFormat).format(value) : visible(String(value));
}

/** The text for one of the API's constants; undefined if it has none. */
export function wordsFor(kind, constant, values) {
  const key = `${kind}.${constant}`;
  return key in catalogue ? t(key, values) : undefined;
}

/** The word for one of the API's constants, such as a state; the constant itself if it is new. */
export function word(kind, constant) {
  return wordsFor(kind, constant) ?? constant;
}
