// A run's tables flow in, the files of a report flow out as texts: Markdown, JSON, CSV a table, and one HTML page with
// its pictures in it that asks nothing of the network.
import { escapeXml, plotOf } from './plots.js';
import type { Run } from './readRun.js';
import { showCell, showTitle, tableCsv, tableMarkdown, type Table } from './table.js';

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/** What the numbers were made with. */
function facts({
  manifest,
  sessions,
  dataset,
  outcomes,
  where,
}: Run): readonly (readonly [string, string])[] {
  const distinct = (values: readonly string[]) => [...new Set(values)].toSorted().join(', ');
  const planned = manifest.agents.length * dataset.tasks.length;
  const repositories = dataset.repositories.map(({ name }) => {
    const codebases = distinct(
      outcomes.filter(({ task }) => task.repository === name).map(({ result }) => result.versions.codebase),
    );
    return `${name} (${codebases === '' ? 'not run' : codebases})`;
  });
  return [
    ['Dataset', `${manifest.dataset.name}, ${dataset.tasks.length} tasks, sha256 ${manifest.dataset.sha256}`],
    ['Finished', `${outcomes.length} of ${planned} tasks of ${manifest.agents.length} agents`],
    ['Repositories', repositories.join(', ')],
    [
      'Gistify',
      `${distinct(sessions.map(({ gistify }) => gistify))}, program ${distinct(outcomes.map(({ result }) => result.versions.code))}`,
    ],
    ['Python', distinct(outcomes.map(({ result }) => result.versions.python))],
    ['Node', distinct(sessions.map(({ node }) => node))],
    ['Begun', sessions.map(({ started }) => started).toSorted()[0] ?? 'unknown'],
    [
      'Pinned',
      Object.entries(manifest.pinned)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ],
    ['Results', where],
  ];
}

/** All files of a report. `folderLink` leads from the page to a task's folder; null where it cannot. */
export function writeReport(
  run: Run,
  tables: readonly Table[],
  folderLink: ((path: string) => string) | null,
): readonly ReportFile[] {
  const known = facts(run);
  const json = {
    schema: 1,
    manifest: run.manifest,
    sessions: run.sessions,
    tables: Object.fromEntries(tables.map(({ id, title, note, rows }) => [id, { title, note, rows }])),
  };
  return [
    { name: 'report.md', text: reportMarkdown(run, tables) },
    { name: 'report.json', text: `${JSON.stringify(json, null, 1)}\n` },
    { name: 'report.html', text: page(run.manifest.dataset.name, known, tables, folderLink) },
    ...tables.map((table) => ({ name: `${table.id}.csv`, text: tableCsv(table) })),
  ];
}

/** The report for people who read plain text; single tasks are left to the other forms. */
export function reportMarkdown(run: Run, tables: readonly Table[]): string {
  const shown = tables.filter(({ id }) => id !== 'tasks').map(tableMarkdown);
  const head = facts(run).map(([name, value]) => `- ${name}: ${value}`);
  return [`# ${run.manifest.dataset.name}`, '', ...head, '', ...shown].join('\n');
}

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; display: block; overflow-x: auto; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #8884; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } svg text { font-size: 12px; fill: currentColor; }
dt { font-weight: 600; float: left; clear: left; width: 8rem; } dd { margin-left: 8.5rem; overflow-wrap: anywhere; }
`;

function page(
  title: string,
  known: readonly (readonly [string, string])[],
  tables: readonly Table[],
  folderLink: ((path: string) => string) | null,
): string {
  const list = known.map(([name, value]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(value)}</dd>`);
  const sections = tables.map((table) => {
    const note = table.note === '' ? '' : `<p>${escapeXml(table.note)}</p>`;
    return `<section id="${table.id}"><h2>${escapeXml(table.title)}</h2>${note}${plotOf(table) ?? ''}${tableHtml(table, folderLink)}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title><style>${style}</style></head>
<body><h1>${escapeXml(title)}</h1><dl>${list.join('')}</dl>
${sections.join('\n')}
</body></html>
`;
}

function tableHtml({ columns, rows }: Table, folderLink: ((path: string) => string) | null): string {
  const kindOf = (kind: string) => (kind === 'text' ? '' : ' class="number"');
  const head = columns.map(
    (column) => `<th scope="col"${kindOf(column.kind)}>${escapeXml(showTitle(column))}</th>`,
  );
  const body = rows.map((row) => {
    const cells = columns.map(({ key, kind }) => {
      const text = escapeXml(showCell(row[key], kind));
      const link =
        (key === 'folder' || key === 'example') && row[key] != null
          ? folderLink?.(String(row[key]))
          : undefined;
      return `<td${kindOf(kind)}>${link === undefined ? text : `<a href="${escapeXml(link)}">${text}</a>`}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}
