// Functions and who called whom flow in; a list collapsed by file flows out, with the calls between files above it.
import type { Translate } from '../base/translate.js';
import type { CallGraph, Report } from '../model/report.js';
import type { FileShare } from './fileShares.js';
import { html, type Html } from './html.js';

export function callsSection(report: Report, shares: readonly FileShare[], t: Translate): Html {
  const { calls } = report;
  const head = html`<h2 id="calls">${t('Calls')}</h2>`;
  if (calls == null)
    return html`<section aria-labelledby="calls">
      ${head}
      <p class="quiet">${t('Calls were not recorded in this run.')}</p>
    </section>`;
  const fileOf = new Map(shares.flatMap((share) => share.functions.map((index) => [index, share] as const)));
  return html`<section aria-labelledby="calls">
    ${head}
    <p>
      ${t('Functions of the gist: {0}. Each file opens to its functions, who called them, and whom they call.', calls.functions.length)}
    </p>
    ${shares
      .filter(({ functions }) => functions.length > 0)
      .map((share) => moduleDetails(report, calls, share, fileOf, t))}
  </section> `;
}

function moduleDetails(
  report: Report,
  calls: CallGraph,
  share: FileShare,
  fileOf: ReadonlyMap<number, FileShare>,
  t: Translate,
): Html {
  const reached = new Map<string, number>();
  for (const [caller, callee] of calls.edges) {
    const target = fileOf.get(callee);
    if (fileOf.get(caller) === share && target !== undefined && target !== share)
      reached.set(target.file, (reached.get(target.file) ?? 0) + 1);
  }
  const total = share.functions.reduce((sum, index) => sum + (calls.functions[index]?.calls ?? 0), 0);
  const goes = [...reached].sort((a, b) => b[1] - a[1]).map(([file, edges]) => `${file} (${edges})`);
  return html`<details>
    <summary class="c${share.colour}">
      <span class="swatch"></span><span class="code">${share.file}</span>
      <span class="quiet"
        >${t('functions: {0}, calls: {1}', share.functions.length, total)}${goes.length === 0 ? '' : ` → ${goes.join(', ')}`}</span
      >
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('Function')}</th>
          <th class="number" scope="col">${t('Calls')}</th>
          <th scope="col">${t('Called by')}</th>
          <th scope="col">${t('Calls to')}</th>
        </tr>
      </thead>
      <tbody>
        ${share.functions.map((index) => functionRow(report, calls, index, t))}
      </tbody>
    </table>
  </details> `;
}

function functionRow(report: Report, calls: CallGraph, index: number, t: Translate): Html {
  const one = calls.functions[index];
  if (one === undefined) return html``;
  const origin = report.lines[one.line - 1]?.origin;
  const place = origin === undefined || origin.kind === 'added' ? null : origin;
  const callers = calls.edges.filter(([, callee]) => callee === index).map(([caller]) => caller);
  const callees = calls.edges.filter(([caller]) => caller === index).map(([, callee]) => callee);
  const list = (indices: readonly number[]): Html => {
    const names = indices.map((other) => {
      const known = calls.functions[other];
      return known === undefined
        ? html`${t('pytest or an import')}`
        : html`<a class="code" href="#f${other}">${known.name}</a>`;
    });
    return html`${names.flatMap((name, place) => (place === 0 ? [name] : [html`, `, name]))}`;
  };
  return html`<tr id="f${index}">
    <td class="code">
      <a href="#L${one.line}" data-file="${place?.file ?? ''}" data-line="${place?.line ?? 0}">${one.name}</a>
    </td>
    <td class="number">${one.calls ?? '–'}</td>
    <td>${list(callers)}</td>
    <td>${list(callees)}</td>
  </tr> `;
}
