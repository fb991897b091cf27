// A parsed Python file flows in, its units flow out: the statements that existence counts, each with the block it
// stands in. Headers of compound statements are units, imports are split by name and belong to the top level, `pass`,
// `else` and comments are no units. Units of equal code have equal canonical text.
import type { Node } from '../python/parse.js';
import { canonical, hasComma, lonelyString, parts } from './canonical.js';

export interface Unit {
  /** Names of the enclosing classes and functions, outermost first; the own header belongs to its own block. */
  readonly path: readonly string[];
  readonly kind: string;
  /** The text as it stands, without the suite of a compound statement. */
  readonly text: string;
  /** 1-based first and last line. */
  readonly line: number;
  readonly endLine: number;
  /** Words of the code outside strings and comments. Equal code has equal words, so this is a cheap first check. */
  readonly words: string;
  /** The exact check. Valid while the tree lives; computed once, on demand. */
  canonical(): string;
}

/** Line breaks as Python reads them, and no byte order mark. Line numbers stay. */
export function pythonText(raw: string): string {
  return raw.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** All units of a file in order of the text. `wanted` can leave out blocks; their headers are then left out too. */
export function unitsOf(
  root: Node,
  text: string,
  wanted: (path: readonly string[]) => boolean = () => true,
): Unit[] {
  const units: Unit[] = [];

  const add = (path: readonly string[], kind: string, from: Node, end: number, spell: () => string): void => {
    if (!wanted(path)) return;
    const slice = text.slice(from.startIndex, end).trimEnd();
    const line = from.startPosition.row + 1;
    let spelled: string | null = null;
    units.push({
      path,
      kind,
      text: slice,
      line,
      endLine: line + countBreaks(slice),
      // `elif` is an `if` in the suite of the other one's `else`.
      words: codeWords(kind === 'if' ? slice.replace(/^(el)?if/, '') : slice),
      canonical: () => (spelled ??= spell()),
    });
  };

  const visitBlock = (block: Node | null, path: readonly string[]): void => {
    if (block === null) return;
    for (const child of block.namedChildren) visit(child, path);
  };

  /** A header is everything up to its suite. */
  const header = (
    path: readonly string[],
    kind: string,
    node: Node,
    body: Node | null,
    spelled: () => string[],
  ): void => {
    const colon = node.children.find((child) => child.type === ':');
    const end = colon?.endIndex ?? body?.startIndex ?? node.endIndex;
    add(path, kind, node, end, () => spelled().join(' '));
  };

  const visitDefinition = (node: Node, outer: readonly string[], decorators: readonly Node[]): void => {
    const path = [...outer, node.childForFieldName('name')?.text ?? ''];
    for (const decorator of decorators) {
      add(path, 'decorator', decorator, decorator.endIndex, () => parts(decorator).join(' '));
    }
    const body = node.childForFieldName('body');
    if (node.type === 'class_definition') {
      header(path, 'class', node, body, () => {
        const bases = node.childForFieldName('superclasses');
        return [
          spell(node, 'name'),
          spell(node, 'type_parameters'),
          bases === null ? 'arguments()' : canonical(bases),
        ];
      });
    } else {
      header(path, 'def', node, body, () => [
        ...asyncMark(node),
        spell(node, 'name'),
        spell(node, 'type_parameters'),
        spell(node, 'parameters'),
        `-> ${spell(node, 'return_type')}`,
      ]);
    }
    visitBlock(body, path);
  };

  const visitImport = (node: Node): void => {
    const module = node.childForFieldName('module_name');
    const from =
      node.type === 'future_import_statement'
        ? '__future__'
        : module === null
          ? null
          : module.text.replace(/\s/g, '');
    const names = [
      ...node.childrenForFieldName('name').filter((child) => child.isNamed),
      ...node.children.filter((child) => child.type === 'wildcard_import'),
    ];
    for (const name of names) {
      const spelled = (from === null ? 'import ' : `from ${from} import `) + importedName(name);
      if (!wanted([])) return;
      units.push({
        path: [],
        kind: 'import',
        text: spelled,
        line: node.startPosition.row + 1,
        endLine: node.endPosition.row + 1,
        words: spelled,
        canonical: () => spelled,
      });
    }
  };

  const visit = (node: Node, path: readonly string[]): void => {
    const body = (): Node | null => node.childForFieldName('body');
    switch (node.type) {
      case 'comment':
      case 'pass_statement':
      case 'line_continuation':
        return;
      case 'decorated_definition': {
        const definition = node.childForFieldName('definition');
        const decorators = node.namedChildren.filter((child) => child.type === 'decorator');
        if (definition !== null) visitDefinition(definition, path, decorators);
        return;
      }
      case 'function_definition':
      case 'class_definition':
        visitDefinition(node, path, []);
        return;
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        visitImport(node);
        return;
      case 'if_statement':
      case 'elif_clause': {
        const then = node.childForFieldName('consequence');
        header(path, 'if', node, then, () => [spell(node, 'condition')]);
        visitBlock(then, path);
        for (const other of node.childrenForFieldName('alternative')) visit(other, path);
        return;
      }
      case 'else_clause':
        visitBlock(body(), path);
        return;
      case 'for_statement':
      case 'while_statement': {
        if (node.type === 'while_statement')
          header(path, 'while', node, body(), () => [spell(node, 'condition')]);
        else {
          header(path, 'for', node, body(), () => [
            ...asyncMark(node),
            spell(node, 'left'),
            'in',
            spell(node, 'right'),
          ]);
        }
        visitBlock(body(), path);
        const otherwise = node.childForFieldName('alternative');
        if (otherwise !== null) visit(otherwise, path);
        return;
      }
      case 'with_statement':
        header(path, 'with', node, body(), () => [
          ...asyncMark(node),
          ...node.namedChildren.filter((child) => child.type === 'with_clause').map(canonical),
        ]);
        visitBlock(body(), path);
        return;
      case 'try_statement':
        header(path, 'try', node, body(), () => []);
        visitBlock(body(), path);
        for (const clause of node.namedChildren) if (clause.type !== 'block') visit(clause, path);
        return;
      case 'except_clause':
      case 'except_group_clause':
      case 'finally_clause': {
        const suite = node.namedChildren.find((child) => child.type === 'block') ?? null;
        header(path, node.type === 'finally_clause' ? 'finally' : 'except', node, suite, () =>
          node.children
            .filter((child) => !child.isExtra && child.type !== 'block' && child.type !== ':')
            .map(canonical),
        );
        visitBlock(suite, path);
        return;
      }
      case 'match_statement':
        header(path, 'match', node, body(), () => {
          const subjects = node
            .childrenForFieldName('subject')
            .filter((child) => child.isNamed)
            .map(canonical);
          return subjects.length > 1 || hasComma(node) ? [`tuple(${subjects.join(' ')})`] : subjects;
        });
        visitBlock(body(), path);
        return;
      case 'case_clause':
        header(path, 'case', node, node.childForFieldName('consequence'), () => casePattern(node));
        visitBlock(node.childForFieldName('consequence'), path);
        return;
      default: {
        const doc = node.type === 'expression_statement' ? lonelyString(node) : null;
        if (doc === null) add(path, 'simple', node, node.endIndex, () => canonical(node));
        else add(path, 'doc', node, node.endIndex, () => doc.replace(/\s+/g, ' ').trim());
      }
    }
  };

  visitBlock(root, []);
  return units;
}

function spell(node: Node, field: string): string {
  const child = node.childForFieldName(field);
  return child === null ? '' : canonical(child);
}

function asyncMark(node: Node): string[] {
  return node.children.some((child) => child.type === 'async') ? ['async'] : [];
}

function importedName(node: Node): string {
  const alias = node.childForFieldName('alias');
  if (alias === null) return node.text.replace(/\s/g, '');
  return `${(node.childForFieldName('name')?.text ?? '').replace(/\s/g, '')} as ${alias.text}`;
}

function casePattern(node: Node): string[] {
  const patterns = node.namedChildren.filter((child) => child.type === 'case_pattern').map(canonical);
  const whole = patterns.length > 1 || hasComma(node) ? `list(${patterns.join(' ')})` : patterns.join(' ');
  return [whole, spell(node, 'guard')];
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const token =
  /[A-Za-z]{0,2}(?:"""(?:\\[^]|(?!""")[^])*"""|'''(?:\\[^]|(?!''')[^])*'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*')|#[^\n]*|([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|\d[\w.]*/g;

function codeWords(text: string): string {
  let words = '';
  for (const match of text.matchAll(token)) if (match[1] !== undefined) words += `${match[1]} `;
  return words;
}
