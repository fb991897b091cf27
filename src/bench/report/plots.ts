// Numbers flow in, pictures flow out as SVG text: nothing to load, readable without colour, named for screen readers.
import type { Table } from './table.js';

const palette = ['#1f77b4', '#d95f02', '#1b9e77', '#7570b3', '#e7298a', '#666666', '#a6761d', '#66a61e'];
const marks = ['circle', 'square', 'diamond', 'triangle'] as const;
const size = { width: 560, height: 300, left: 52, right: 16, top: 16, bottom: 58 };

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

interface Series {
  readonly name: string;
  /** One a place of the x axis, from 0 to 1; null where there is none. */
  readonly values: readonly (number | null)[];
}

function mark(kind: (typeof marks)[number], x: number, y: number, colour: string, title: string): string {
  const body = `fill="${colour}"><title>${escapeXml(title)}</title>`;
  switch (kind) {
    case 'circle':
      return `<circle cx="${x}" cy="${y}" r="4" ${body}</circle>`;
    case 'square':
      return `<rect x="${x - 4}" y="${y - 4}" width="8" height="8" ${body}</rect>`;
    case 'diamond':
      return `<path d="M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z" ${body}</path>`;
    case 'triangle':
      return `<path d="M${x} ${y - 5}L${x + 5} ${y + 4}L${x - 5} ${y + 4}Z" ${body}</path>`;
  }
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Shares over ordered places, one line a series. */
function lineChart(
  title: string,
  xTitle: string,
  places: readonly string[],
  series: readonly Series[],
): string {
  const { width, left, right, top, bottom } = size;
  const height = size.height + 18 * series.length;
  const [w, h] = [width - left - right, size.height - top - bottom];
  const x = (at: number) => fixed(left + (places.length === 1 ? w / 2 : (w * at) / (places.length - 1)));
  const y = (value: number) => fixed(top + h * (1 - value));
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="#8884"/>` +
      `<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${100 * value}%</text>`,
  );
  const labels = places.map(
    (place, at) => `<text x="${x(at)}" y="${top + h + 20}" text-anchor="middle">${escapeXml(place)}</text>`,
  );
  const lines = series.map(({ name, values }, index) => {
    const colour = palette[index % palette.length] ?? '#000';
    const kind = marks[index % marks.length] ?? 'circle';
    const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
    const path = points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
    const dots = points.map(({ at, value }) =>
      mark(kind, x(at), y(value), colour, `${name}, ${places[at] ?? ''}: ${(100 * value).toFixed(1)}%`),
    );
    const row = size.height + 18 * index;
    const legend = `${mark(kind, left + 5, row - 4, colour, name)}<text x="${left + 18}" y="${row}">${escapeXml(name)}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${legend}`;
  });
  const axis = `<text x="${left + w / 2}" y="${top + h + 40}" text-anchor="middle">${escapeXml(xTitle)}</text>`;
  return `<svg role="img" aria-label="${escapeXml(title)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${escapeXml(title)}</title>${grid.join('')}${labels.join('')}${axis}${lines.join('')}</svg>`;
}

/** One bar a group, cut into parts by their share. */
function stackedBars(
  title: string,
  groups: readonly {
    readonly name: string;
    readonly parts: readonly { readonly name: string; readonly share: number; readonly count: number }[];
  }[],
): string {
  const kinds = [...new Set(groups.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const colourOf = (name: string) => palette[kinds.indexOf(name) % palette.length] ?? '#000';
  const [left, width, row] = [180, 380, 26];
  const bars = groups.map(({ name, parts }, index) => {
    const y = 8 + row * index;
    let from = 0;
    const cut = parts.map((part) => {
      const at = left + width * from;
      from += part.share;
      return `<rect x="${fixed(at)}" y="${y}" width="${fixed(width * part.share)}" height="18" fill="${colourOf(part.name)}" stroke="#fff"><title>${escapeXml(`${name}: ${part.name} ${part.count}`)}</title></rect>`;
    });
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${escapeXml(name)}</text>${cut.join('')}`;
  });
  const below = 8 + row * groups.length + 12;
  const legend = kinds.map((kind, index) => {
    const [x, y] = [left + 190 * (index % 2), below + 18 * Math.floor(index / 2)];
    return `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colourOf(kind)}"/><text x="${x + 16}" y="${y}">${escapeXml(kind)}</text>`;
  });
  const height = below + 18 * Math.ceil(kinds.length / 2);
  return `<svg role="img" aria-label="${escapeXml(title)}" viewBox="0 0 600 ${height}" width="600" height="${height}"><title>${escapeXml(title)}</title>${bars.join('')}${legend.join('')}</svg>`;
}

/** The picture of a table, where it has one. */
export function plotOf(table: Table): string | null {
  if (table.rows.length === 0) return null;
  const agents = [...new Set(table.rows.map((row) => String(row['agent'])))];
  if (table.id === 'calls' || table.id === 'files') {
    const rangeOf = (row: Table['rows'][number]) =>
      row['from'] === row['to'] ? String(row['from']) : `${String(row['from'])}–${String(row['to'])}`;
    const places = [...new Set(table.rows.map(rangeOf))];
    const series = agents.map((name) => ({
      name,
      values: places.map((place) => {
        const value = table.rows.find((row) => row['agent'] === name && rangeOf(row) === place)?.['fidelity'];
        return typeof value === 'number' ? value : null;
      }),
    }));
    return lineChart(table.title, table.id === 'calls' ? 'calls' : 'files', places, series);
  }
  if (table.id !== 'errors') return null;
  const groups = agents.map((name) => ({
    name,
    parts: table.rows
      .filter((row) => row['agent'] === name)
      .map((row) => ({
        name: String(row['failure']),
        share: Number(row['share']),
        count: Number(row['count']),
      })),
  }));
  return stackedBars(table.title, groups);
}
