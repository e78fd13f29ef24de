/**
 * <millrace-chart>: a chart of uPlot in the colours of the page, redrawn when its data change. Its points lead to what they
 * count: by a click, or by the arrow keys and Enter.
 */

import { number } from './format.js';

/** A script of its own, behind the modules: undefined until it has run, which is before DOMContentLoaded. */
const library = () => /** @type {any} */ (globalThis).uPlot;

/** Minutes of the day at which labels may stand, and the room of one in pixels. */
const STEPS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720];
const LABEL_WIDTH = 90;

/**
 * The places of the labels that are shown, at most so many: those of round times of the day.
 *
 * @param labels such as 06:00
 */
export function labelled(labels, most) {
  const minutes = labels.map((label) => Number(label.slice(0, 2)) * 60 + Number(label.slice(3, 5)));
  const at = (/** @type {number} */ step) => minutes.flatMap((minute, i) => (minute % step === 0 ? [i] : []));
  return STEPS.map(at).find((places) => places.length <= most) ?? [];
}

/** How near to a point of a series a click has to be to mean that series, in pixels. */
const NEAR = 12;

class MillraceChart extends HTMLElement {
  /** @type {any} */
  #plot = null;
  /** @type {ChartData} */
  #given;
  #index = -1;
  #resized = new ResizeObserver(() => this.#plot?.setSize(this.#size()));

  /**
   * Of { type, labels, series: [{ name, values, tone, addresses }], addresses, unit, summary }: lines, or bars that stand on each
   * other. The addresses are those of pages, one for each label; those of a series lead from its own points.
   */
  set data(given) {
    if (JSON.stringify(given) === JSON.stringify(this.#given)) {
      return;
    }
    const { series: before, unit } = this.#given ?? {};
    const isAlike = String(before?.map(({ name }) => name)) === String(given.series.map(({ name }) => name)) && unit === given.unit;
    this.#given = given;
    if (!this.isConnected) {
      return;
    }
    if (this.#plot && isAlike) {
      this.#plot.setData(this.#values());
      this.#describe();
    } else {
      this.#redraw();
    }
  }

  connectedCallback() {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#redraw);
    document.addEventListener('theme', this.#redraw);
    this.#resized.observe(this);
    this.#redraw();
  }

  disconnectedCallback() {
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.#redraw);
    document.removeEventListener('theme', this.#redraw);
    this.#resized.disconnect();
    this.#drop();
  }

  #redraw = () => {
    this.#drop();
    if (!library()) {
      addEventListener('DOMContentLoaded', this.#redraw, { once: true });
    } else if (this.#given) {
      this.#draw();
    }
  };

  #drop() {
    this.#plot?.destroy();
    this.#plot = null;
    this.replaceChildren();
  }

  #colour(tone) {
    this.style.color = `var(--${tone})`;
    const colour = getComputedStyle(this).color;
    this.style.color = '';
    return colour;
  }

  get #hasBars() {
    return this.#given.type === 'bar';
  }

  /** Room for the legend and the unit is below. */
  #size() {
    return { width: this.clientWidth, height: Math.max(80, this.clientHeight - 64) };
  }

  /** The places of the labels, then the values of each series; bars end where those below them and they themselves end. */
  #values() {
    const { labels, series } = this.#given;
    const ends = labels.map(() => 0);
    return [
      labels.map((_, i) => i),
      ...series.map(({ values }) => (this.#hasBars ? values.map((value, i) => (ends[i] += value)) : values)),
    ];
  }

  /** A chart that leads somewhere is a slider over its labels; another is a picture. */
  #describe() {
    const { over } = this.#plot;
    const { labels, summary, addresses } = this.#given;
    over.setAttribute('aria-label', summary);
    if (!addresses) {
      over.setAttribute('role', 'img');
      return;
    }
    const index = this.#index < 0 ? labels.length - 1 : Math.min(this.#index, labels.length - 1);
    over.tabIndex = 0;
    over.setAttribute('role', 'slider');
    over.setAttribute('aria-valuemin', '1');
    over.setAttribute('aria-valuemax', String(labels.length));
    over.setAttribute('aria-valuenow', String(index + 1));
    over.setAttribute('aria-valuetext', this.#inWords(index));
  }

  #inWords(index) {
    const { labels, series } = this.#given;
    return `${labels[index]}: ${series.map(({ name, values }) => `${name} ${values[index]}`).join(', ')}`;
  }

  #move(event) {
    const last = this.#given.labels.length - 1;
    const at = this.#index < 0 ? last : this.#index;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: last };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.#point(Math.min(last, Math.max(0, next)));
    } else if (event.key === 'Enter' && this.#given.addresses) {
      location.hash = this.#given.addresses[at];
    }
  }

  /** Shows what a label has, as the pointer would; -1 for none. */
  #point(index) {
    this.#index = index;
    const left = index < 0 ? -10 : this.#plot.valToPos(index, 'x');
    this.#plot.setCursor({ left, top: index < 0 ? -10 : 0 });
    this.#describe();
  }

  #follow() {
    const { addresses, series } = this.#given;
    const { idx, top } = this.#plot.cursor;
    if (addresses && idx !== null) {
      location.hash = series[this.#seriesAt(idx, top)]?.addresses?.[idx] ?? addresses[idx];
    }
  }

  /** The series whose bar is at this height, or whose line is near it; -1 for none. */
  #seriesAt(index, top) {
    const ends = this.#plot.data.slice(1).map((values) => this.#plot.valToPos(values[index], 'y'));
    if (this.#hasBars) {
      return ends.findIndex((end, i) => top >= end && this.#given.series[i].values[index] > 0);
    }
    const nearest = Math.min(...ends.map((end) => Math.abs(end - top)));
    return nearest > NEAR ? -1 : ends.findIndex((end) => Math.abs(end - top) === nearest);
  }

  /** What the legend says of a series: its own value, also where its bar stands on others. */
  #series({ name, tone }, i) {
    const colour = this.#colour(tone);
    const kind = this.#hasBars ? { fill: colour, paths: library().paths.bars({ size: [0.8, 40] }) } : { stroke: colour, width: 2 };
    return {
      label: name,
      ...kind,
      points: { show: false },
      value: (_, value, __, index) => (value === null || index === null ? '' : number(this.#given.series[i].values[index])),
    };
  }

  #draw() {
    const { series, unit, labels } = this.#given;
    const text = this.#colour('text-soft');
    const line = this.#colour('line');
    const axis = { stroke: text, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const shown = series.map((each, i) => this.#series(each, i));
    // The bars of the last series are the highest: they are drawn first, and the others over them.
    const bands = this.#hasBars ? shown.slice(1).map((_, i) => ({ series: [i + 2, i + 1] })) : [];
    const UPlot = library();
    this.#plot = new UPlot(
      {
        ...this.#size(),
        scales: { x: { time: false, range: () => [-0.5, this.#given.labels.length - 0.5] }, y: { range: (_, __, most) => [0, most || 1] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 32,
            splits: (/** @type {any} */ plot) => labelled(this.#given.labels, Math.max(2, Math.floor(plot.width / LABEL_WIDTH))),
            values: (_, at) => at.map((i) => this.#given.labels[i]),
          },
          { ...axis, grid: { stroke: line, width: 1 }, size: 56, values: (_, at) => at.map((value) => (Number.isInteger(value) ? number(value) : '')) },
        ],
        series: [{ value: (_, index) => this.#given.labels[index] ?? '' }, ...shown],
        bands,
        cursor: { y: false, drag: { x: false, y: false } },
        legend: { markers: { width: 0, fill: (_, i) => this.#colour(series[i - 1].tone) } },
      },
      this.#values(),
      this,
    );
    const { over, root } = this.#plot;
    root.querySelector('canvas').setAttribute('aria-hidden', 'true');
    over.onkeydown = (event) => this.#move(event);
    over.onblur = () => this.#point(-1);
    over.onclick = () => this.#follow();
    over.style.cursor = this.#given.addresses ? 'pointer' : '';
    if (unit) {
      const caption = document.createElement('p');
      caption.className = 'unit';
      caption.textContent = unit;
      this.prepend(caption);
    }
    this.#describe();
    this.#index = Math.min(this.#index, labels.length - 1);
  }
}

customElements.define('millrace-chart', MillraceChart);
