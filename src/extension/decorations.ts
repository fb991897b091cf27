// The overlay of a gist flows in, an editor's decorations change. The decoration types are made once and shared by all editors.
// Colour never stands alone: what did not run or was added also says so in words, and a stripe marks each file.
import * as vscode from 'vscode';
import { provenanceColours, type LineRange, type Overlay } from '../view/overlay.js';
import type { Settings } from './settings.js';

export interface DecorationCounts {
  readonly executed: number;
  readonly unexecuted: number;
  readonly added: number;
  readonly files: number;
  readonly margins: number;
}

export interface Decorator {
  dispose(): void;
  /**
   * Sets all decorations of the editor, and counts their lines.
   * @param survivors for each line of the editor the line of the gist it still is, or 0
   */
  apply(
    editor: vscode.TextEditor,
    overlay: Overlay,
    survivors: readonly number[],
    highlight: Settings['highlight'],
  ): DecorationCounts;
}

/** Makes the decoration types. */
export function createDecorator(): Decorator {
  const { executed, unexecuted, added, margin, files } = createTypes();
  return {
    apply(editor, overlay, survivors, highlight) {
      const ranges = (given: readonly LineRange[], wanted: boolean): vscode.Range[] =>
        wanted ? rangesOf(given, survivors) : [];
      const set = (type: vscode.TextEditorDecorationType, where: readonly vscode.Range[]): number => {
        editor.setDecorations(type, where);
        return where.reduce((lines, { start, end }) => lines + end.line - start.line + 1, 0);
      };
      const striped = files.map((type, colour) => {
        const own = overlay.files.filter((file) => file.colour === colour).flatMap((file) => file.ranges);
        return set(type, ranges(own, highlight.provenance));
      });
      const margins = highlight.provenance ? marginsOf(editor.document, overlay, survivors) : [];
      editor.setDecorations(margin, margins);
      return {
        executed: set(executed, ranges(overlay.executed, highlight.executed)),
        unexecuted: set(unexecuted, ranges(overlay.unexecuted, highlight.unexecuted)),
        added: set(added, ranges(overlay.added, highlight.added)),
        files: striped.reduce((sum, lines) => sum + lines, 0),
        margins: margins.length,
      };
    },
    dispose() {
      for (const type of [executed, unexecuted, added, margin, ...files]) type.dispose();
    },
  };
}

function createTypes(): {
  readonly executed: vscode.TextEditorDecorationType;
  readonly unexecuted: vscode.TextEditorDecorationType;
  readonly added: vscode.TextEditorDecorationType;
  readonly margin: vscode.TextEditorDecorationType;
  readonly files: readonly vscode.TextEditorDecorationType[];
} {
  const colour = (id: string): vscode.ThemeColor => new vscode.ThemeColor(`gistify.${id}`);
  const make = vscode.window.createTextEditorDecorationType;
  return {
    executed: make({
      isWholeLine: true,
      backgroundColor: colour('executedBackground'),
      overviewRulerColor: colour('executedRuler'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    }),
    unexecuted: make({
      isWholeLine: true,
      backgroundColor: colour('unexecutedBackground'),
      fontStyle: 'italic',
      opacity: '0.75',
      overviewRulerColor: colour('unexecutedRuler'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    }),
    added: make({
      isWholeLine: true,
      fontStyle: 'italic',
      backgroundColor: colour('addedBackground'),
      overviewRulerColor: colour('addedRuler'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
    }),
    margin: make({
      after: { color: colour('marginForeground'), margin: '0 0 0 3em', fontStyle: 'normal' },
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
    }),
    files: Array.from({ length: provenanceColours }, (_, index) =>
      make({
        isWholeLine: true,
        borderStyle: 'solid',
        borderWidth: '0 0 0 2px',
        borderColor: colour(`provenance${index + 1}`),
        overviewRulerColor: colour(`provenance${index + 1}`),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      }),
    ),
  };
}

/** Ranges over the editor's own lines; a line that no longer is the gist's splits them. */
function rangesOf(given: readonly LineRange[], survivors: readonly number[]): vscode.Range[] {
  const wanted = new Set(
    given.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
  );
  const ranges: vscode.Range[] = [];
  survivors.forEach((line, index) => {
    if (!wanted.has(line)) return;
    const open = ranges.at(-1);
    if (open?.end.line === index - 1)
      ranges[ranges.length - 1] = new vscode.Range(open.start.line, 0, index, 0);
    else ranges.push(new vscode.Range(index, 0, index, 0));
  });
  return ranges;
}

function marginsOf(
  document: vscode.TextDocument,
  overlay: Overlay,
  survivors: readonly number[],
): vscode.DecorationOptions[] {
  const texts = new Map(overlay.margins.map(({ line, text }) => [line, text]));
  return survivors.flatMap((line, index) => {
    const contentText = texts.get(line);
    if (contentText === undefined || index >= document.lineCount) return [];
    const { end } = document.lineAt(index).range;
    return [{ range: new vscode.Range(end, end), renderOptions: { after: { contentText } } }];
  });
}
