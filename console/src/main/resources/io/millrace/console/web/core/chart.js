/**
 * <millrace-chart>: a chart of Chart.js in the colours of the page, redrawn when its data change. Its points lead to what they
 * count: by a click, or by the arrow keys and Enter.
 */

const { Chart } = globalThis;

class MillraceChart extends HTMLElement {
  #chart = null;
  #given = null;
  #index = -1;

  /**
   * Of { type, labels, series: [{ name, values, tone, stack, addresses }], addresses, unit, summary }. The addresses are those of
   * pages, one for each label; those of a series lead from its own points.
   */
  set data(given) {
    if (JSON.stringify(given) === JSON.stringify(this.#given)) {
      return;
    }
    this.#given = given;
    if (this.isConnected) {
      this.#draw();
    }
  }

  connectedCallback() {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#redraw);
    document.addEventListener('theme', this.#redraw);
    if (this.#given) {
      this.#draw();
    }
  }

  disconnectedCallback() {
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.#redraw);
    document.removeEventListener('theme', this.#redraw);
    this.#drop();
  }

  #redraw = () => {
    this.#drop();
    if (this.#given) {
      this.#draw();
    }
  };

  #drop() {
    this.#chart?.destroy();
    this.#chart = null;
    this.replaceChildren();
  }

  #colour(tone) {
    this.style.color = `var(--${tone})`;
    const colour = getComputedStyle(this).color;
    this.style.color = '';
    return colour;
  }

  /** A chart that leads somewhere is a slider over its labels; another is a picture. */
  #describe(canvas) {
    const { labels, summary, addresses } = this.#given;
    canvas.setAttribute('aria-label', summary);
    if (!addresses) {
      canvas.setAttribute('role', 'img');
      return;
    }
    const index = this.#index < 0 ? labels.length - 1 : Math.min(this.#index, labels.length - 1);
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'slider');
    canvas.setAttribute('aria-valuemin', '1');
    canvas.setAttribute('aria-valuemax', String(labels.length));
    canvas.setAttribute('aria-valuenow', String(index + 1));
    canvas.setAttribute('aria-valuetext', this.#inWords(index));
    canvas.onkeydown = (event) => this.#move(event);
    canvas.onblur = () => this.#point(-1);
  }

  #inWords(index) {
    const { labels, series } = this.#given;
    return `${labels[index]}: ${series.map(({ name, values }) => `${name} ${values[index]}`).join(', ')}`;
  }

  #move(event) {
    const last = this.#given.labels.length - 1;
    const at = this.#index < 0 ? last : this.#index;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.#point(Math.min(last, Math.max(0, next)));
    } else if (event.key === 'Enter') {
      location.hash = this.#given.addresses[at];
    }
  }

  /** Shows what a label has, as the pointer would; -1 for none. */
  #point(index) {
    this.#index = index;
    const chart = this.#chart;
    if (!chart) {
      return;
    }
    const points = index < 0 ? [] : chart.data.datasets.map((_, datasetIndex) => ({ datasetIndex, index }));
    chart.setActiveElements(points);
    chart.tooltip.setActiveElements(points, { x: 0, y: 0 });
    chart.update('none');
    this.#describe(chart.canvas);
  }

  #follow(event) {
    const { addresses, series } = this.#given;
    if (!addresses) {
      return;
    }
    const [exact] = this.#chart.getElementsAtEventForMode(event.native, 'nearest', { intersect: true }, false);
    const [near] = this.#chart.getElementsAtEventForMode(event.native, 'index', { intersect: false }, false);
    if (near) {
      location.hash = (exact && series[exact.datasetIndex].addresses?.[exact.index]) ?? addresses[near.index];
    }
  }

  #draw() {
    const { type, labels, series, unit } = this.#given;
    const datasets = series.map(({ name, values, tone, stack }) => ({
      label: name,
      data: values,
      backgroundColor: this.#colour(tone),
      borderColor: this.#colour(tone),
      borderWidth: type === 'line' ? 2 : 0,
      pointRadius: 0,
      pointHitRadius: 12,
      tension: 0.25,
      stack,
    }));
    if (this.#chart && this.#chart.data.datasets.length === datasets.length) {
      this.#describe(this.#chart.canvas);
      this.#chart.options.scales.y.title.text = unit;
      this.#chart.data.labels = labels;
      datasets.forEach((dataset, i) => Object.assign(this.#chart.data.datasets[i], dataset));
      this.#chart.update('none');
      return;
    }
    this.#drop();
    const canvas = document.createElement('canvas');
    this.#describe(canvas);
    this.append(canvas);
    const text = this.#colour('text-soft');
    const line = this.#colour('line');
    const stacked = datasets.some((dataset) => dataset.stack !== undefined);
    this.#chart = new Chart(canvas, {
      type,
      data: { labels, datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        onClick: (event) => this.#follow(event),
        onHover: (event, points) => {
          canvas.style.cursor = this.#given.addresses && points.length > 0 ? 'pointer' : '';
        },
        scales: {
          x: { stacked, grid: { display: false }, ticks: { color: text, maxTicksLimit: 8, maxRotation: 0 } },
          y: {
            stacked,
            beginAtZero: true,
            grid: { color: line },
            ticks: { color: text, maxTicksLimit: 5, precision: 0 },
            title: { display: unit !== undefined, text: unit, color: text },
          },
        },
        plugins: {
          legend: { position: 'bottom', labels: { color: text, boxWidth: 12, boxHeight: 12 } },
        },
      },
    });
  }
}

customElements.define('millrace-chart', MillraceChart);
