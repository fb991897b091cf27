// How a report looks: colours are those of the editor's theme where there is one, else the system's.
// No attribute carries a style, so that the page can forbid all styles but this sheet.

const provenance = [
  ['#0070c1', '#4fc1ff'],
  ['#b86e00', '#ffb454'],
  ['#8a3fc4', '#c792ea'],
  ['#2e8540', '#7fd88f'],
  ['#c2267a', '#ff7eb6'],
  ['#007d75', '#5ad4c8'],
] as const;

/** How many colours tell files apart. */
export const fileColours = provenance.length;

const colours = provenance
  .map(
    ([light, dark], index) =>
      `.c${index} { --own: var(--vscode-gistify-provenance${index + 1}, light-dark(${light}, ${dark})); }`,
  )
  .join('\n');

export const reportStyle = `
:root {
  color-scheme: light dark;
  --ground: var(--vscode-editor-background, light-dark(#ffffff, #1f1f1f));
  --text: var(--vscode-editor-foreground, light-dark(#1f2328, #e6e6e6));
  --quiet: var(--vscode-descriptionForeground, light-dark(#57606a, #b0b6bd));
  --line: var(--vscode-contrastBorder, var(--vscode-panel-border, light-dark(#d0d7de, #454545)));
  --link: var(--vscode-textLink-foreground, light-dark(#0550ae, #6cb6ff));
  --good: light-dark(#1a7f37, #73c991);
  --bad: var(--vscode-list-errorForeground, light-dark(#b5200d, #f48771));
  --focus: var(--vscode-focusBorder, var(--link));
}
body.vscode-light, body.vscode-high-contrast-light { color-scheme: light; }
body.vscode-dark, body.vscode-high-contrast:not(.vscode-high-contrast-light) { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--ground); color: var(--text);
  font: var(--vscode-font-size, 14px)/1.5 var(--vscode-font-family, system-ui, sans-serif);
}
h1 { font-size: 1.5em; margin: 0 0 .25em; overflow-wrap: anywhere; }
h2 { font-size: 1.2em; margin: 2em 0 .5em; border-bottom: 1px solid var(--line); padding-bottom: .25em; }
h3 { font-size: 1em; margin: 1.25em 0 .25em; }
code, pre, .code { font-family: var(--vscode-editor-font-family, ui-monospace, monospace); font-size: .95em; }
p, ul, dl { margin: .4em 0; }
.quiet { color: var(--quiet); }
.state { font-weight: 600; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.scores { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; padding: 0; }
.scores > div { border: 1px solid var(--line); border-radius: 4px; padding: .75rem 1rem; }
.scores dt { color: var(--quiet); }
.scores dd { margin: 0; }
.scores .value { font-size: 1.75em; line-height: 1.25; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.path { overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; margin: .5rem 0; }
svg text { fill: var(--text); font-size: 13px; }
.box { fill: var(--own); fill-opacity: .22; stroke: var(--own); stroke-width: 2; }
.bar { fill: var(--own); fill-opacity: .6; stroke: var(--own); }
.swatch { display: inline-block; width: .75em; height: .75em; margin-right: .5em; border: 2px solid var(--own); background: color-mix(in srgb, var(--own) 25%, transparent); }
summary { cursor: pointer; padding: .25rem 0; }
details > :not(summary) { margin-left: 1.25rem; }
.scroll { overflow-x: auto; }
.gist { border-collapse: collapse; white-space: pre; }
.gist td { border: 0; padding: 0 .75rem 0 0; }
.gist td.from { color: var(--quiet); }
.gist tr:target td { background: var(--vscode-editor-findMatchHighlightBackground, light-dark(#fff3bf, #5a4a00)); }
.gist tr.no td:last-child { font-style: italic; text-decoration: underline dotted; }
${colours}
@media print { body { max-width: none; } details > * { display: block; } }
`;
