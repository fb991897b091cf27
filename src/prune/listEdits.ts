// Syntax flows in, lists whose parts can go flow out: arguments, parameters, elements, imported names, decorators,
// rows of long strings. Removing parts gives edits; a part with rows of its own goes by rows, so that no line changes.
import type { PyNode, SourceFile } from '../python/syntax.js';
import type { Edit } from './document.js';
import { rowStarts } from './statementEdits.js';

export interface PartList {
  readonly parts: readonly PyNode[];
  /** Range between the brackets, where all parts may go; null where one must stay. */
  readonly inside: { readonly start: number; readonly end: number } | null;
  readonly tuple: boolean;
  readonly why: string;
}

const bracketed: Readonly<Record<string, string>> = {
  argument_list: 'an argument is not needed',
  list: 'an element is not needed',
  tuple: 'an element is not needed',
  set: 'an element is not needed',
  dictionary: 'an entry is not needed',
  parameters: 'a parameter is not needed',
};

/** All lists of a file, outer ones first. */
export function partLists(file: SourceFile): readonly PartList[] {
  const lists: PartList[] = [];
  const visit = (node: PyNode): void => {
    const list = listOf(file, node);
    if (list !== null && list.parts.length > 0) lists.push(list);
    node.children.forEach(visit);
  };
  visit(file.root);
  return lists;
}

function listOf(file: SourceFile, node: PyNode): PartList | null {
  const why = bracketed[node.type];
  const parts = node.children.filter(({ type }) => type !== 'comment');
  if (why !== undefined) {
    const first = file.text[node.start] ?? '';
    const open = '([{'.includes(first) && first !== '';
    // A set without elements would be a dictionary.
    const inside = open && node.type !== 'set' ? { start: node.start + 1, end: node.end - 1 } : null;
    return { parts, inside, tuple: node.type === 'tuple', why };
  }
  switch (node.type) {
    case 'import_statement':
    case 'import_from_statement': {
      const names = parts.filter(({ field }) => field === 'name');
      return names.length < 2
        ? null
        : { parts: names, inside: null, tuple: false, why: 'a name is not needed' };
    }
    case 'decorated_definition': {
      const decorators = parts.filter(({ type }) => type === 'decorator');
      const [first] = decorators;
      const last = decorators.at(-1);
      if (first === undefined || last === undefined) return null;
      return { parts: decorators, inside: { start: first.start, end: last.end }, tuple: false, why: '' };
    }
    case 'concatenated_string':
      return { parts, inside: null, tuple: false, why: 'a part of the text is not needed' };
    case 'expression_list':
      return { parts, inside: null, tuple: true, why: 'an element is not needed' };
    default:
      return null;
  }
}

/** Edits that remove some parts of a list; null where they cannot all go. */
export function partEdits(
  file: SourceFile,
  list: PartList,
  removed: ReadonlySet<PyNode>,
): readonly Edit[] | null {
  const kept = list.parts.filter((part) => !removed.has(part));
  const { why } = list;
  if (kept.length === 0) {
    if (list.inside === null) return null;
    if (list.parts[0]?.type !== 'decorator') return [{ ...list.inside, text: '', why }];
  }
  if (list.tuple && kept.length === 1 && list.parts.length > 1) return null;
  const starts = rowStarts(file);
  const edits: Edit[] = [];
  for (const [index, part] of list.parts.entries()) {
    if (!removed.has(part)) continue;
    const rows = ownRows(file, starts, part);
    if (rows !== null) {
      edits.push({ ...rows, text: '', why });
      continue;
    }
    const next = list.parts[index + 1];
    const laterKept = list.parts.slice(index + 1).some((other) => !removed.has(other));
    if (next !== undefined && laterKept) edits.push({ start: part.start, end: next.start, text: '', why });
    else {
      const before = list.parts.slice(0, index).findLast((other) => !removed.has(other));
      edits.push({ start: before?.end ?? part.start, end: part.end, text: '', why });
    }
  }
  return edits;
}

/** The rows of a part that shares them with nothing but its comma. */
function ownRows(
  file: SourceFile,
  starts: readonly number[],
  part: PyNode,
): { readonly start: number; readonly end: number } | null {
  const start = starts[part.row] ?? 0;
  const end = starts[part.endRow + 1] ?? file.text.length;
  const before = file.text.slice(start, part.start);
  const after = file.text.slice(part.end, end);
  if (before.trim() !== '' || !/^\s*(,\s*)?(#[^\n]*)?\n?$/.test(after)) return null;
  // The last part without a comma needs the one before it to end in one.
  return part.type === 'decorator' || /^\s*,/.test(after) ? { start, end } : null;
}

/** Rows strictly inside strings of several lines, a list a string. */
export function textRows(file: SourceFile): readonly (readonly number[])[] {
  const lists: (readonly number[])[] = [];
  const visit = (node: PyNode): void => {
    if (node.type === 'string' && node.endRow > node.row + 1)
      lists.push(Array.from({ length: node.endRow - node.row - 1 }, (_, index) => node.row + 1 + index));
    else node.children.forEach(visit);
  };
  visit(file.root);
  return lists;
}
