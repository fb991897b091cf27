// Seconds by stage flow in, a line of bars and a table of the same numbers flow out.
import type { Translate } from '../base/translate.js';
import type { Report } from '../model/report.js';
import { html, type Html } from './html.js';
import { fileColours } from './reportStyle.js';

const width = 1000;

export function stagesSection({ timings }: Report, t: Translate): Html {
  const total = timings.reduce((sum, { seconds }) => sum + seconds, 0);
  if (total === 0) return html``;
  let start = 0;
  const bars = timings.map(({ stage, seconds }, index) => {
    const from = start;
    start += seconds;
    return { stage, seconds, from, colour: index % fileColours };
  });
  return html`<section aria-labelledby="stages">
    <h2 id="stages">${t('Stages')}</h2>
    <p>${t('{0} seconds in all.', total.toFixed(1))}</p>
    <svg
      viewBox="0 0 ${width} ${timings.length * 24}"
      role="img"
      aria-label="${t('Time by stage; the table below says the same in numbers.')}"
    >
      ${bars.map(
        ({ stage, seconds, from, colour }, index) =>
          html`<g class="c${colour}"
            ><title>${stage}: ${seconds.toFixed(2)} s</title>
            <rect
              class="bar"
              x="${(100 + (from / total) * (width - 110)).toFixed(1)}"
              y="${index * 24 + 4}"
              width="${Math.max(2, (seconds / total) * (width - 110)).toFixed(1)}"
              height="16"
            />
            <text x="0" y="${index * 24 + 17}">${stage}</text></g
          > `,
      )}
    </svg>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('Stage')}</th>
          <th class="number" scope="col">${t('Seconds')}</th>
        </tr>
      </thead>
      <tbody>
        ${bars.map(
          ({ stage, seconds }) =>
            html`<tr>
              <td>${stage}</td>
              <td class="number">${seconds.toFixed(2)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </section> `;
}
