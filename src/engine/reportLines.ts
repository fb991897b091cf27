// A gist's origins, its run and the original's trace flow in; what a report says of each line and of each function flows out.
import type { Origin } from '../model/gist.js';
import type { CallGraph, ReportLine } from '../model/report.js';
import type { GistRun, Trace } from '../model/trace.js';

/** One entry a line: where it is from and whether it ran. */
export function reportLines(origins: readonly Origin[], lines: GistRun['lines']): readonly ReportLine[] {
  const executed = new Set(lines?.executed ?? []);
  const statements = new Set(lines?.statements ?? []);
  return origins.map((origin, position) => {
    const line = position + 1;
    return { origin, ran: executed.has(line) ? 'yes' : statements.has(line) ? 'no' : 'none' };
  });
}

/** The functions of the gist; how often each was called is the original run's own count. */
export function callGraph(
  origins: readonly Origin[],
  calls: GistRun['calls'],
  trace: Trace,
): CallGraph | null {
  if (calls === null) return null;
  const counts = new Map<string, number>();
  for (const { path, statements, calls: counted } of trace.files)
    for (const [statement, count] of counted) {
      const line = statements[statement]?.[0];
      if (line !== undefined) counts.set(`${path}:${line}`, count);
    }
  return {
    functions: calls.functions.map(([line, name]) => {
      const origin = origins[line - 1];
      const place = origin === undefined || origin.kind === 'added' ? '' : `${origin.file}:${origin.line}`;
      return { name, line, calls: counts.get(place) ?? null };
    }),
    edges: calls.edges,
  };
}
