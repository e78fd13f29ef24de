/** <millrace-chart>: a chart of Chart.js in the colours of the page, redrawn when its data change. */

const { Chart } = globalThis;

class MillraceChart extends HTMLElement {
  #chart = null;
  #given = null;

  /** Of { type, labels, series: [{ name, values, tone, stack }], unit, summary }. */
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

  #draw() {
    const { type, labels, series, summary, unit } = this.#given;
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
      this.#chart.canvas.setAttribute('aria-label', summary);
      this.#chart.options.scales.y.title.text = unit;
      this.#chart.data.labels = labels;
      datasets.forEach((dataset, i) => Object.assign(this.#chart.data.datasets[i], dataset));
      this.#chart.update('none');
      return;
    }
    this.#drop();
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', summary);
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
