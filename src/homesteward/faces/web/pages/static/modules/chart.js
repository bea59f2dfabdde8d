// A curve of numbers over time, drawn by uPlot in the colours, the clock and the numbers of the page; the texts beside it say the same without a script.
const colours = getComputedStyle(document.documentElement);
const colour = (name) => colours.getPropertyValue(name).trim();
const HEIGHT = 220;
const DAY_S = 86400;
const language = document.documentElement.lang;

function draw(box) {
  const { unit, zone, name, from, to } = box.dataset;
  const line = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: colour("--soft"), grid: line, ticks: line };
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: zone });
  const told = (second, step) => (step < DAY_S ? clock : day).format(second * 1000);
  const made = new uPlot({
    width: box.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { y: false },
    tzDate: (second) => uPlot.tzDate(new Date(second * 1000), zone),
    scales: {
      x: { range: [Number(from), Number(to)] },
      y: { range: (_, low, high) => high - low < 1 ? [Math.floor(low - 1), Math.ceil(high + 1)] : uPlot.rangeNum(low, high, 0.1, true) },
    },
    axes: [
      { ...axis, space: 64, values: (_, ticks, __, ___, step) => ticks.map((tick) => told(tick, step)) },
      { ...axis, size: 72, values: (_, ticks) => ticks.map((tick) => `${numbers.format(tick)} ${unit}`) },
    ],
    series: [{}, { label: name, stroke: colour("--accent"), width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }],
  }, JSON.parse(box.dataset.points), box);
  new ResizeObserver(() => made.setSize({ width: box.clientWidth, height: HEIGHT })).observe(box);
}

for (const box of document.querySelectorAll(".chart[data-points]")) draw(box);
