// Every table of a report is data of one form; Markdown, CSV and HTML are three ways to write it down.
import { stringify } from 'csv-stringify/sync';

/** `rate` is a share from 0 to 1, shown in percent. */
export type ColumnKind = 'text' | 'count' | 'rate' | 'number';
export type Cell = string | number | null;

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly kind: ColumnKind;
}

export interface Table {
  readonly id: string;
  readonly title: string;
  /** What the numbers mean and what they leave out. */
  readonly note: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** A cell as a person reads it. */
export function showCell(value: Cell | undefined, kind: ColumnKind): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'rate') return (100 * value).toFixed(1);
  return kind === 'count' ? String(value) : String(Math.round(value * 100) / 100);
}

/** Head of a column; shares say that they are in percent. */
export function showTitle({ title, kind }: Column): string {
  return kind === 'rate' ? `${title} %` : title;
}

export function tableMarkdown({ title, note, columns, rows }: Table): string {
  const escape = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |`;
  const head = [
    line(columns.map(showTitle)),
    line(columns.map(({ kind }) => (kind === 'text' ? '---' : '--:'))),
  ];
  const body = rows.map((row) => line(columns.map(({ key, kind }) => showCell(row[key], kind))));
  return [`## ${title}`, '', ...(note === '' ? [] : [note, '']), ...head, ...body, ''].join('\n');
}

/** Raw numbers, shares from 0 to 1. */
export function tableCsv({ columns, rows }: Table): string {
  return stringify(
    rows.map((row) => columns.map(({ key }) => row[key] ?? '')),
    {
      header: true,
      columns: columns.map(({ key }) => key),
    },
  );
}
