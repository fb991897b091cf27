// A Report flows in, one page of HTML flows out: complete in itself, without network, readable by eye, keyboard and screen reader.
// The same page is the editor's webview and the file that `gistify report` writes; only the editor's has a script.
import type { Translate } from '../base/translate.js';
import type { Report } from '../model/report.js';
import type { Ratio } from '../model/score.js';
import { callsSection } from './callsSection.js';
import { filesSection } from './filesSection.js';
import { html, type Html } from './html.js';
import { sharesOf } from './fileShares.js';
import { reportStyle } from './reportStyle.js';
import { stagesSection } from './stagesSection.js';

export interface PageOptions {
  readonly t: Translate;
  /** BCP 47. */
  readonly language: string;
  /** Names the one style sheet and the one script that the page allows. */
  readonly nonce: string;
  /** Address of the script that opens files in the editor; null for a page that stands alone. */
  readonly script: string | null;
}

/** The page of one report. */
export function reportPage(report: Report, { t, language, nonce, script }: PageOptions): string {
  const { task, verified, score } = report;
  const [file = '', ...names] = task.nodeId.split('::');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === null ? [] : [`script-src 'nonce-${nonce}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const shares = sharesOf(report);
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${t('Gist of {0}', names.join('::'))}</title>
        <style nonce="${nonce}">
          ${{ markup: reportStyle }}
        </style>
      </head>
      <body>
        <main>
          <h1>${names.join(' › ')}</h1>
          <p class="quiet"><a href="#gist" data-file="${file}" data-line="1">${file}</a></p>
          <p class="state ${verified ? 'good' : 'bad'}">
            ${
              verified
                ? t('✓ Verified: a fresh process, with the codebase out of reach, behaved as the test does.')
                : t('✗ Not verified: the gist does not behave as the test does.')
            }
          </p>
          ${
            score.problems.length === 0
              ? null
              : html`<ul>
                  ${score.problems.map((problem) => html`<li>${problem}</li>`)}
                </ul>`
          }
          ${scoresSection(report, t)} ${filesSection(report, shares, t)} ${callsSection(report, shares, t)}
          ${stagesSection(report, t)} ${whySection(report, t)} ${environmentSection(report, t)}
          ${gistSection(report, t)}
        </main>
        ${script === null ? null : html`<script nonce="${nonce}" src="${script}"></script>`}
      </body>
    </html> `;
  return page.markup;
}

function percent({ hit, total }: Ratio): string {
  return total === 0 ? '–' : `${Math.floor((hit / total) * 1000) / 10}%`;
}

function scoresSection({ score }: Report, t: Translate): Html {
  const tile = (name: string, value: string, count: string, how: string): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd class="value">${value}</dd>
      <dd>${count}</dd>
      <dd class="quiet">${how}</dd>
    </div> `;
  return html`<section aria-labelledby="scores">
    <h2 id="scores">${t('Scores')}</h2>
    <dl class="scores">
      ${tile(
        t('Fidelity'),
        String(score.fidelity),
        score.fidelity === 1
          ? t('equal in every instance and phase')
          : t('{0} differences', score.problems.length),
        t('1 where outcome, captured output and error of the gist equal those of the test.'),
      )}${tile(
        t('Execution'),
        score.execution === null ? '–' : percent(score.execution),
        score.execution === null
          ? t('did not run')
          : t('{0} of {1} lines ran', score.execution.hit, score.execution.total),
        t('Lines that ran of those that can run, by the definition of coverage.py.'),
      )}${tile(
        t('Existence'),
        percent(score.existence),
        t('{0} of {1} statements stand in the codebase', score.existence.hit, score.existence.total),
        t('Matched block by block; comments and indentation do not count, imports count by name.'),
      )}${tile(
        t('Test F1'),
        score.testF1 === null ? '–' : percent({ hit: Math.round(score.testF1 * 1000), total: 1000 }),
        score.testF1 === 1 ? t('the test is the original one') : '',
        t("How far the gist's own test agrees with the original one."),
      )}
    </dl>
    ${
      score.invented.length === 0
        ? null
        : html`<h3>${t('Not in the codebase')}</h3>
            <table>
              <thead>
                <tr>
                  <th class="number" scope="col">${t('Line')}</th>
                  <th scope="col">${t('Statement')}</th>
                  <th scope="col">${t('Nearest line of the codebase')}</th>
                </tr>
              </thead>
              <tbody>
                ${score.invented.map(
                  ({ line, text, nearest }) =>
                    html`<tr>
                      <td class="number"><a href="#L${line}">${line}</a></td>
                      <td class="code">${text}</td>
                      <td class="code">${nearest ?? '–'}</td>
                    </tr> `,
                )}
              </tbody>
            </table>`
    }
  </section> `;
}

/** What keeps a namespace of its own, what was refused or noted, each with the reason. */
function whySection({ layout, diagnostics }: Report, t: Translate): Html {
  const notes = diagnostics.filter(({ code }) => code !== 'held-module');
  const kind = {
    flat: t('flat: one namespace'),
    mixed: t('mixed: some modules are held'),
    held: t('held: each module has its own namespace'),
  };
  return html`<section aria-labelledby="why">
    <h2 id="why">${t('Held and noted')}</h2>
    <p>${t('Layout: {0}', kind[layout.kind])}</p>
    ${
      layout.held.length === 0
        ? html`<p class="quiet">${t('No module had to keep a namespace of its own.')}</p>`
        : html`<h3>${t('Held modules')}</h3>
            <dl>
              ${layout.held.map(
                ({ module, reason }) =>
                  html`<dt class="code">${module}</dt>
                    <dd>${reason}</dd>`,
              )}
            </dl>`
    }${
      notes.length === 0
        ? null
        : html`<h3>${t('Notes')}</h3>
            <ul>
              ${notes.map(({ severity, message }) => html`<li><strong>${severity}</strong>: ${message}</li>`)}
            </ul>`
    }
  </section> `;
}

function environmentSection({ environment, runs, versions, task }: Report, t: Translate): Html {
  const row = (name: string, value: string): Html =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${value}</td>
    </tr> `;
  const packages = Object.entries(environment.packages).map(([name, version]) => `${name} ${version}`);
  return html`<section aria-labelledby="environment">
    <h2 id="environment">${t('Environment')}</h2>
    <table>
      <tbody>
        ${row('Python', environment.python)}${row(t('Packages'), packages.join(', ') || '–')}
        ${row(t('Commit'), environment.commit ?? '–')}${row(t('Hash seed'), environment.hashSeed)}
        ${row(t('Variables read'), environment.variablesRead.join(', ') || '–')}${row(t('Runs of pytest'), String(runs))}
        ${row(t('Arguments for pytest'), task.pytestArgs.join(' ') || '–')}${row('Gistify', versions.gistify)}
      </tbody>
    </table>
  </section> `;
}

function gistSection({ gist, lines }: Report, t: Translate): Html {
  const texts = gist.text.split('\n');
  const ranText = { yes: t('ran'), no: t('did not run'), none: '' };
  return html`<section aria-labelledby="gist">
    <h2 id="gist">${t('The gist')}</h2>
    <details>
      <summary id="gist-lines">${t('{0} lines, each with its origin', lines.length)}</summary>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="gist-lines">
        <table class="gist code">
          <thead>
            <tr>
              <th class="number" scope="col">${t('Line')}</th>
              <th scope="col">${t('Origin')}</th>
              <th scope="col">${t('Ran')}</th>
              <th scope="col">${t('Code')}</th>
            </tr>
          </thead>
          <tbody>
            ${lines.map(({ origin, ran }, index) => {
              const from =
                origin.kind === 'added'
                  ? html`${origin.why === 'blank' ? '' : `+ ${origin.why}`}`
                  : html`<a href="#L${index + 1}" data-file="${origin.file}" data-line="${origin.line}"
                      >${origin.file}:${origin.line}</a
                    >`;
              return html`<tr id="L${index + 1}" class="${ran}">
                <td class="number">${index + 1}</td>
                <td class="from">${from}</td>
                <td class="from">${ranText[ran]}</td>
                <td>${texts[index] ?? ''}</td>
              </tr> `;
            })}
          </tbody>
        </table>
      </div>
    </details>
  </section> `;
}
