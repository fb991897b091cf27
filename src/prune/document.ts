// Rows of a gist and edits of its text flow in, rows flow out: each knows its line's origin and keeps its identity
// through every edit. A row that an edit leaves as it was stays kept; any other is marked as rewritten.
import type { Gist, Origin } from '../model/gist.js';

export interface Row {
  /** Index of the line in the gist that the reduction began with. */
  readonly id: number;
  readonly text: string;
  readonly origin: Origin;
}

/** What replaces a range of the text (UTF-16 offsets); `why` tells a rewritten line's reader. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly why: string;
}

export function rowsOf(gist: Gist): readonly Row[] {
  const lines = gist.text.split('\n');
  return gist.origins.map((origin, id) => ({ id, text: lines[id] ?? '', origin }));
}

export function gistOf(rows: readonly Row[]): Gist {
  return { text: textOf(rows), origins: rows.map(({ origin }) => origin) };
}

export function textOf(rows: readonly Row[]): string {
  return rows.map(({ text }) => `${text}\n`).join('');
}

function rewritten(origin: Origin, why: string): Origin {
  if (origin.kind === 'added') return origin;
  const reasons = origin.kind === 'rewritten' ? origin.why.split('; ') : [];
  return {
    kind: 'rewritten',
    file: origin.file,
    line: origin.line,
    why: [...new Set([...reasons, why])].join('; '),
  };
}

/** The rows after the edits; an edit inside another one goes with it. */
export function applyEdits(rows: readonly Row[], edits: readonly Edit[]): readonly Row[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const starts = startOffsets(rows);
  const out: Row[] = [];
  let line = '';
  let owner = -1;
  let why = '';
  let touched = false;
  const finish = (last: number) => {
    const row = rows[owner === -1 ? last : owner];
    if (row !== undefined && !(touched && line.trim() === '')) {
      const same = line.trim() === row.text.trim();
      out.push({
        id: row.id,
        text: touched ? line.trimEnd() : line,
        origin: same ? row.origin : rewritten(row.origin, why),
      });
    }
    line = '';
    owner = -1;
    touched = false;
  };
  let next = 0;
  let offset = 0;
  let skip = 0;
  for (const [index, { text }] of rows.entries()) {
    let at = offset;
    const end = offset + text.length + 1;
    const take = (until: number) => {
      const from = Math.max(at, skip);
      if (from < until) {
        const part = `${text}\n`.slice(from - offset, until - offset);
        if (owner === -1 && /\S/.test(part)) owner = index;
        line += part.endsWith('\n') ? part.slice(0, -1) : part;
        if (part.endsWith('\n')) finish(index);
      }
      at = Math.max(at, until);
    };
    for (let edit = sorted[next]; edit !== undefined && edit.start < end; edit = sorted[next]) {
      next += 1;
      if (edit.start < skip) continue;
      take(edit.start);
      skip = Math.max(skip, edit.end);
      if (edit.text !== '' || line !== '' || edit.end < end) {
        const wholeRows = line === '' && edit.text === '' && edit.start === offset && starts.has(edit.end);
        if (!wholeRows) touched = true;
      }
      if (edit.text !== '' && owner === -1) owner = index;
      line += edit.text;
      why = edit.why;
    }
    take(end);
    offset = end;
  }
  if (line !== '') finish(rows.length - 1);
  return out;
}

function startOffsets(rows: readonly Row[]): ReadonlySet<number> {
  const starts = new Set([0]);
  let at = 0;
  for (const { text } of rows) starts.add((at += text.length + 1));
  return starts;
}
