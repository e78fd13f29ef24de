/**
 * <millrace-params>: edits the parameters in a field of text as a table, in which each value has a type. The field, whose id is
 * the attribute "for", goes on holding what is sent; it is hidden meanwhile.
 */

import { html, nothing, render } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { t } from './words.js';
import { button, choice, readParams, writeParams } from './view.js';

const KEPT_AS = 'millrace.params';
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What a value of each type must be; parameters are sent as texts, so that the type is a check and no conversion. */
const TYPES = {
  text: () => true,
  lines: () => true,
  number: (value) => NUMBER.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  json: isJson,
};

/** The type that a value seems to have. */
export function typeOf(value) {
  if (TYPES.boolean(value)) {
    return 'boolean';
  }
  if (TYPES.number(value)) {
    return 'number';
  }
  if (/^\s*[[{]/.test(value) && isJson(value)) {
    return 'json';
  }
  return value.includes('\n') ? 'lines' : 'text';
}

function isJson(value) {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * What is wrong with a row; null if nothing is, or if it is still empty.
 *
 * @param rows all of them, of { name, type, value }
 */
export function faultOf({ name, type, value }, rows) {
  if (name === '' && value === '') {
    return null;
  }
  if (name.trim() === '') {
    return t('params.no-name');
  }
  if (rows.filter((other) => other.name.trim() === name.trim()).length > 1) {
    return t('params.twice', { name: name.trim() });
  }
  return TYPES[type](value) ? null : t(`params.bad.${type}`);
}

class ParamsTable extends HTMLElement {
  /** @type {any} */
  #rows = null;
  #made = 0;

  /** Why the text is not shown as a table; null if there is no reason. */
  /** @type {string | null} */
  #refusal = null;

  /** The text that the page put into the field: what it puts there anew is shown. */
  set given(text) {
    if (this.isConnected && this.#rows) {
      queueMicrotask(() => this.#read());
    }
  }

  #drawAnew = () => this.#draw();

  connectedCallback() {
    document.addEventListener('language', this.#drawAnew);
    if (localStorage.getItem(KEPT_AS) === 'table') {
      queueMicrotask(() => this.#read());
    } else {
      this.#draw();
    }
  }

  disconnectedCallback() {
    document.removeEventListener('language', this.#drawAnew);
  }

  /** @return {any} */
  get #field() {
    return document.getElementById(this.getAttribute('for') ?? '');
  }

  /** What cannot be read stays a text, in which it is mended. */
  #read() {
    this.#refusal = null;
    try {
      const values = readParams(this.#field.value);
      this.#rows = Object.entries(values).map(([name, value]) => this.#row(name, value));
    } catch (failure) {
      this.#rows = null;
      this.#refusal = failure.message;
    }
    this.#draw();
  }

  #row(name, value) {
    this.#made += 1;
    return { key: this.#made, name, value, type: typeOf(value) };
  }

  #switch() {
    localStorage.setItem(KEPT_AS, this.#rows ? 'text' : 'table');
    if (this.#rows) {
      this.#rows = null;
      this.#draw();
      this.#field.focus();
    } else {
      this.#read();
    }
  }

  #change(row, values) {
    Object.assign(row, values);
    if (values.type === 'boolean' && !TYPES.boolean(row.value)) {
      row.value = 'true';
    }
    this.#write();
  }

  #add() {
    this.#rows.push(this.#row('', ''));
    this.#write();
    this.querySelector('tbody tr:last-child input')?.focus();
  }

  #remove(row) {
    this.#rows = this.#rows.filter((other) => other !== row);
    this.#write();
    this.querySelector('button')?.focus();
  }

  #write() {
    const written = this.#rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
    this.#field.value = writeParams(Object.fromEntries(written.map(({ name, value }) => [name.trim(), value])));
    this.#draw();
    this.#field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #draw() {
    this.#field?.toggleAttribute('hidden', this.#rows !== null);
    render(
      html`${this.#refusal ? html`<p class="problem" role="alert">${this.#refusal}</p>` : nothing}
        ${this.#rows === null ? nothing : this.#table()}
        <div class="actions">
          ${this.#rows === null ? nothing : button(t('params.add'), () => this.#add())}
          ${button(t(this.#rows === null ? 'params.as-table' : 'params.as-text'), () => this.#switch(), { tone: 'quiet' })}
        </div>`,
      this,
    );
    this.#rows?.forEach((row) => {
      const control = this.querySelector(`[data-key="${row.key}"] .value`);
      control?.setCustomValidity(faultOf(row, this.#rows) ?? '');
    });
  }

  #table() {
    return this.#rows.length === 0
      ? html`<p class="muted">${t('params.none')}</p>`
      : html`<table class="params-table">
          <thead>
            <tr>
              ${['name', 'type', 'value'].map((name) => html`<th scope="col">${t(`params.${name}`)}</th>`)}
              <th scope="col"><span class="unseen">${t('col.actions')}</span></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              this.#rows,
              ({ key }) => key,
              (row, i) => this.#line(row, i + 1),
            )}
          </tbody>
        </table>`;
  }

  #line(row, n) {
    const types = Object.keys(TYPES).map((type) => [type, t(`params.type.${type}`)]);
    const fault = faultOf(row, this.#rows);
    const control = choice(`param-type-${row.key}`, row.type, types, (event) => this.#change(row, { type: event.currentTarget.value }));
    return html`<tr data-key=${row.key}>
      <td>
        <input aria-label=${t('params.name.label', { n })} .value=${row.name} autocomplete="off" spellcheck="false"
          @input=${(event) => this.#change(row, { name: event.currentTarget.value })} />
      </td>
      <td><label><span class="unseen">${t('params.type.label', { n })}</span>${control}</label></td>
      <td>
        ${this.#control(row, n, fault)}
        ${fault ? html`<small class="fault" role="alert">${fault}</small>` : nothing}
      </td>
      <td>${button('✕', () => this.#remove(row), { tone: 'quiet', label: t('params.remove', { name: row.name, n }) })}</td>
    </tr>`;
  }

  #control(row, n, fault) {
    const label = t('params.value.label', { n });
    const onInput = (event) => this.#change(row, { value: event.currentTarget.value });
    const isWrong = fault ? 'true' : nothing;
    switch (row.type) {
      case 'boolean':
        return html`<select class="value" aria-label=${label} aria-invalid=${isWrong} @change=${onInput}>
          ${['true', 'false'].map((value) => html`<option ?selected=${value === row.value}>${value}</option>`)}
        </select>`;
      case 'lines':
      case 'json':
        return html`<textarea class="value" aria-label=${label} aria-invalid=${isWrong} spellcheck="false" .value=${row.value}
          @input=${onInput}></textarea>`;
      default:
        return html`<input class="value" aria-label=${label} aria-invalid=${isWrong} autocomplete="off" spellcheck="false"
          inputmode=${row.type === 'number' ? 'decimal' : 'text'} .value=${row.value} @input=${onInput} />`;
    }
  }
}

customElements.define('millrace-params', ParamsTable);

/** The element, for a field of text whose id this is. */
export const paramsTable = (id, given) => html`<millrace-params for=${id} .given=${given}></millrace-params>`;
