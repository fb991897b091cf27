// Discovered tests flow in, what an editor shows above them flows out.
import type { TestItem } from '../model/testItem.js';

/** Where a lens stands: above the first decorator, 1-based. */
export function lensLine(item: TestItem): number {
  return item.firstLine;
}

export interface LensText {
  readonly title: string;
  readonly tooltip: string;
}

/** The words of a lens; made only for lenses that come into view. */
export function lensText(nodeId: string, parametrized: boolean): LensText {
  return {
    title: 'Gistify this test',
    tooltip: `Turn ${nodeId}${parametrized ? ', with all its parameters,' : ''} into one self-contained file`,
  };
}

/** The test that the line (1-based) stands in, decorators included. */
export function testAt(items: readonly TestItem[], line: number): TestItem | null {
  return items.find((item) => item.firstLine <= line && line <= item.lastLine) ?? null;
}
