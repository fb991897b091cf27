// Statements to remove flow in, edits of the text flow out that leave valid Python: an emptied suite closes with `pass`
// on its header's line, an emptied clause goes. Nothing else of a line is touched.
import type { Statement, Suite } from '../python/statements.js';
import type { PyNode, SourceFile } from '../python/syntax.js';
import type { Edit } from './document.js';

/** Offsets at which rows start; one more than there are rows. */
export function rowStarts(file: SourceFile): readonly number[] {
  const starts = [0];
  for (const line of file.lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return starts;
}

const emptied = 'what its body did is not needed';

/** Removes all of `removed` from the statements of a suite (or of the module, where `suite` is null) and of those below. */
export function removalEdits(
  file: SourceFile,
  starts: readonly number[],
  statements: readonly Statement[],
  removed: ReadonlySet<Statement>,
): readonly Edit[] {
  const edits: Edit[] = [];
  const visit = (list: readonly Statement[], suite: Suite | null, owner: Statement | null): void => {
    if (suite !== null && owner !== null && list.length > 0 && list.every((one) => removed.has(one))) {
      edits.push(emptySuite(starts, suite, owner, list));
      return;
    }
    for (const [index, one] of list.entries()) {
      if (removed.has(one)) edits.push(deletion(file, starts, one, list[index - 1], list[index + 1]));
      else for (const inner of one.suites) visit(inner.statements, inner, one);
    }
  };
  visit(statements, null, null);
  return edits;
}

function emptySuite(
  starts: readonly number[],
  suite: Suite,
  owner: Statement,
  list: readonly Statement[],
): Edit {
  const last = list.at(-1)?.lastRow ?? suite.colon.row;
  const end = (starts[last + 1] ?? 0) - 1;
  const clauses = owner.suites.filter(({ role }) => role === 'except' || role === 'finally').length;
  const goes = suite.role === 'else' || suite.role === 'elif' || (suite.role === 'finally' && clauses > 1);
  if (goes) return { start: starts[suite.row] ?? 0, end: end + 1, text: '', why: emptied };
  return { start: (starts[suite.colon.row] ?? 0) + suite.colon.column, end, text: ' pass', why: emptied };
}

/** A statement with rows of its own goes by rows; one that shares a row goes with its semicolon. */
function deletion(
  file: SourceFile,
  starts: readonly number[],
  one: Statement,
  previous: Statement | undefined,
  following: Statement | undefined,
): Edit {
  const start = starts[one.firstRow] ?? 0;
  const end = starts[one.lastRow + 1] ?? file.text.length;
  const before = file.text.slice(start, one.node.start);
  const shares =
    before.trim() !== '' || previous?.lastRow === one.firstRow || following?.firstRow === one.lastRow;
  if (!shares) return { start, end, text: '', why: '' };
  const why = 'a statement beside it is not needed';
  if (following?.firstRow === one.lastRow)
    return { start: one.node.start, end: following.node.start, text: '', why };
  if (previous?.lastRow === one.firstRow)
    return { start: previous.node.end, end: one.node.end, text: '', why };
  return { start: one.node.start, end: one.node.end, text: 'pass', why };
}

/** Puts the statements of a suite in place of the compound statement they stand in; null where that cannot be. */
export function unwrapEdits(
  file: SourceFile,
  starts: readonly number[],
  one: Statement,
  suite: Suite,
): readonly Edit[] | null {
  const [first] = suite.statements;
  const last = suite.statements.at(-1);
  if (first === undefined || last === undefined || suite.inline) return null;
  const why = 'it stood in a block that is not needed';
  const depth = first.node.column - one.node.column;
  if (depth <= 0) return null;
  const edits: Edit[] = [
    { start: starts[one.firstRow] ?? 0, end: starts[first.firstRow] ?? 0, text: '', why },
    { start: starts[last.lastRow + 1] ?? 0, end: starts[one.lastRow + 1] ?? 0, text: '', why },
  ];
  const inStrings = stringRows(file.root);
  for (let row = first.firstRow; row <= last.lastRow; row += 1) {
    const text = file.lines[row] ?? '';
    if (inStrings.has(row) || text.slice(0, depth).trim() !== '') continue;
    const start = starts[row] ?? 0;
    edits.push({ start, end: start + Math.min(depth, text.length), text: '', why });
  }
  return edits.filter(({ start, end }) => start < end);
}

/** Rows that begin inside a string: their indentation is text. */
function stringRows(root: PyNode): ReadonlySet<number> {
  const rows = new Set<number>();
  const visit = (node: PyNode): void => {
    if (node.type === 'string') for (let row = node.row + 1; row <= node.endRow; row += 1) rows.add(row);
    else node.children.forEach(visit);
  };
  visit(root);
  return rows;
}

/** Comments that have rows of their own, and empty rows. */
export function idleRowEdits(file: SourceFile, starts: readonly number[]): readonly Edit[] {
  const idle = new Set<number>();
  const inStrings = stringRows(file.root);
  const visit = (node: PyNode): void => {
    if (node.type === 'comment' && (file.lines[node.row] ?? '').trimStart().startsWith('#'))
      idle.add(node.row);
    node.children.forEach(visit);
  };
  visit(file.root);
  file.lines.forEach((line, row) => {
    if (line.trim() === '' && !inStrings.has(row)) idle.add(row);
  });
  return [...idle]
    .filter((row) => !inStrings.has(row))
    .map((row) => ({ start: starts[row] ?? 0, end: starts[row + 1] ?? 0, text: '', why: '' }));
}
