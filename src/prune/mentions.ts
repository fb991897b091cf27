// Syntax flows in; which names it mentions and binds flows out. It only says what is surely needed and what may not be:
// every removal is still verified.
import { walkStatements, type Statement } from '../python/statements.js';
import { childByField, textOf, type PyNode, type SourceFile } from '../python/syntax.js';

export interface Mentions {
  /** Reads of bare names, annotations aside. */
  readonly names: ReadonlyMap<string, number>;
  /** Everything else that looks like a name: attributes, keywords, words in strings, annotations. */
  readonly words: ReadonlyMap<string, number>;
}

/** Counts what a node mentions. */
export function mentionsOf(file: SourceFile, root: PyNode): Mentions {
  const names = new Map<string, number>();
  const words = new Map<string, number>();
  const add = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
  const visit = (node: PyNode, annotation: boolean): void => {
    if (node.type === 'identifier') {
      const loose = annotation || node.field === 'attribute' || node.field === 'keyword';
      add(loose ? words : names, textOf(file, node));
    } else if (node.type === 'string') {
      for (const [word] of textOf(file, node).matchAll(/[A-Za-z_]\w*/g)) add(words, word);
      node.children.forEach((child) => {
        if (child.type === 'interpolation') visit(child, false);
      });
    } else if (node.type === 'keyword_argument') {
      node.children.forEach((child, index) => {
        if (index === 0) add(words, textOf(file, child));
        else visit(child, annotation);
      });
    } else node.children.forEach((child) => visit(child, annotation || node.type === 'type'));
  };
  visit(root, false);
  return { names, words };
}

/** Names that a simple statement or a definition binds; none where it does more than bind. */
export function boundNames(file: SourceFile, statement: Statement): readonly string[] {
  switch (statement.kind) {
    case 'function':
    case 'class':
      return [statement.name];
    case 'import':
    case 'from':
      return statement.node.children
        .filter(({ field }) => field === 'name')
        .map((node) => {
          const alias = childByField(node, 'alias');
          const text = textOf(file, alias ?? node);
          return alias === undefined && statement.kind === 'import' ? (text.split('.')[0] ?? text) : text;
        });
    case 'assign':
    case 'annotation': {
      const names: string[] = [];
      let node = statement.node.children[0];
      while (node?.type === 'assignment') {
        const left = childByField(node, 'left');
        if (left?.type !== 'identifier') return [];
        names.push(textOf(file, left));
        node = childByField(node, 'right');
      }
      return names;
    }
    default:
      return [];
  }
}

/** Names of a scope's statements that more than one of them binds. */
export function boundOften(file: SourceFile, statements: readonly Statement[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const often = new Set<string>();
  walkStatements(statements, (one) => {
    for (const name of boundNames(file, one)) (seen.has(name) ? often : seen).add(name);
  });
  return often;
}
