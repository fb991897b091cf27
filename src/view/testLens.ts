// Discovered tests flow in, what an editor shows above them flows out.
import type { TestItem } from '../model/testItem.js';
import type { Translate } from '../base/translate.js';

/** One lens: above a test, or above a class for all the tests that it inherits. */
export interface TestLens {
  /** Above the first decorator, 1-based. */
  readonly line: number;
  readonly nodeIds: readonly string[];
  readonly parametrized: boolean;
  readonly inherited: boolean;
}

/** The lenses of a file, in the order of its tests. */
export function testLenses(items: readonly TestItem[]): readonly TestLens[] {
  const lenses: TestLens[] = [];
  for (const { nodeId, firstLine, parametrized, inheritedFrom } of items) {
    const inherited = inheritedFrom !== undefined;
    const open = lenses.at(-1);
    if (inherited && open?.inherited === true && open.line === firstLine)
      lenses[lenses.length - 1] = { ...open, nodeIds: [...open.nodeIds, nodeId], parametrized: false };
    else lenses.push({ line: firstLine, nodeIds: [nodeId], parametrized, inherited });
  }
  return lenses;
}

export interface LensText {
  readonly title: string;
  readonly tooltip: string;
}

/** The words of a lens; made only for lenses that come into view. */
export function lensText(lens: Omit<TestLens, 'line'>, trusted: boolean, t: Translate): LensText {
  const { nodeIds, parametrized, inherited } = lens;
  const [first = ''] = nodeIds;
  const title = !inherited
    ? t('Gistify this test')
    : nodeIds.length === 1
      ? t('Gistify inherited {0}', first.split('::').at(-1) ?? '')
      : t('Gistify an inherited test…');
  if (!trusted)
    return {
      title: t('{0} (needs a trusted workspace)', title),
      tooltip: t('Gistify runs the test to see what it executes, so it needs a trusted workspace.'),
    };
  if (nodeIds.length > 1) return { title, tooltip: t('Choose one of {0} inherited tests', nodeIds.length) };
  return {
    title,
    tooltip: parametrized
      ? t('Turn {0}, with all its parameters, into one self-contained file', first)
      : t('Turn {0} into one self-contained file', first),
  };
}

/** The test that the line (1-based) stands in, decorators included. */
export function testAt(items: readonly TestItem[], line: number): TestItem | null {
  return items.find((item) => item.firstLine <= line && line <= item.lastLine) ?? null;
}
