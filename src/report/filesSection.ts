// The files that a test touches flow in, a treemap and a table of their shares flow out; the table says all that the picture shows.
import type { Translate } from '../base/translate.js';
import type { Report } from '../model/report.js';
import type { FileShare } from './fileShares.js';
import { html, type Html } from './html.js';
import { treemap } from './treemap.js';

const area = { x: 0, y: 0, width: 1000, height: 260 };

export function filesSection(report: Report, shares: readonly FileShare[], t: Translate): Html {
  const total = shares.reduce((sum, { lines }) => sum + lines, 0);
  const boxes = treemap(
    shares.map(({ lines }) => lines),
    area,
  );
  const percent = (lines: number): string =>
    total === 0 ? '–' : `${Math.round((lines / total) * 1000) / 10}%`;
  return html`<section aria-labelledby="files">
    <h2 id="files">${t('Files')}</h2>
    <p>
      ${t('{0} lines of {1} files, of {2} lines in the gist.', total, shares.length, report.lines.length)}
    </p>
    <svg
      viewBox="0 0 ${area.width} ${area.height}"
      role="img"
      aria-label="${t('Area by file; the table below says the same in numbers.')}"
    >
      ${boxes.map(({ x, y, width, height }, index) => {
        const { file = '', lines = 0, colour = 0 } = shares[index] ?? {};
        const fits = width > file.length * 7.4 + 12 && height > 22;
        const base = file.slice(file.lastIndexOf('/') + 1);
        const label = fits ? file : width > base.length * 7.4 + 12 && height > 22 ? base : '';
        return html`<g class="c${colour}"
          ><title>${file}: ${t('{0} lines', lines)}</title>
          <rect
            class="box"
            x="${round(x + 1)}"
            y="${round(y + 1)}"
            width="${round(Math.max(1, width - 2))}"
            height="${round(Math.max(1, height - 2))}"
          />
          <text x="${round(x + 8)}" y="${round(y + 18)}">${label}</text></g
        > `;
      })}
    </svg>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('File')}</th>
          <th class="number" scope="col">${t('Lines')}</th>
          <th class="number" scope="col">${t('Share')}</th>
          <th class="number" scope="col">${t('Lines that ran')}</th>
          <th class="number" scope="col">${t('Functions')}</th>
        </tr>
      </thead>
      <tbody>
        ${shares.map(({ file, lines, ran, colour, functions }) => {
          const first = report.lines.findIndex(
            ({ origin }) => origin.kind !== 'added' && origin.file === file,
          );
          const origin = report.lines[first]?.origin;
          const line = origin === undefined || origin.kind === 'added' ? 1 : origin.line;
          return html`<tr>
            <td class="path c${colour}">
              <span class="swatch"></span
              ><a href="#L${first + 1}" data-file="${file}" data-line="${line}">${file}</a>
            </td>
            <td class="number">${lines}</td>
            <td class="number">${percent(lines)}</td>
            <td class="number">${ran}</td>
            <td class="number">${functions.length}</td>
          </tr> `;
        })}
      </tbody>
    </table>
  </section> `;
}

function round(value: number): string {
  return value.toFixed(1);
}
