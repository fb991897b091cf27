// A tree-sitter node flows in, a spelling of its syntax tree flows out: two pieces of code that differ only in spacing,
// line breaks, comments, redundant parentheses, trailing commas or the spelling of literals must come out equal.
import type { Node } from '../python/parse.js';
import { canonicalNumber, decodeString } from './pythonLiterals.js';

const punctuation: ReadonlySet<string> = new Set(['(', ')', '[', ']', '{', '}', ',', ';']);

/** One fixed spelling of an expression, a pattern or a simple statement. */
export function canonical(node: Node): string {
  switch (node.type) {
    case 'parenthesized_expression':
    case 'parenthesized_list_splat':
    case 'type':
    case 'case_pattern':
      return inner(node);
    case 'tuple':
    case 'expression_list':
    case 'pattern_list':
      return sequence('tuple', parts(node));
    case 'list':
    case 'list_pattern':
      return sequence('list', parts(node));
    case 'tuple_pattern':
      return tuplePattern(node);
    case 'expression_statement':
      return hasComma(node) ? sequence('tuple', parts(node)) : inner(node);
    case 'argument_list':
      return sequence('arguments', parts(node));
    case 'generator_expression':
      // The sole argument of a call may drop its own parentheses.
      return node.parent?.type === 'call'
        ? sequence('arguments', [sequence(node.type, parts(node))])
        : sequence(node.type, parts(node));
    case 'subscript':
      return subscript(node);
    case 'slice':
      return slice(node);
    case 'format_specifier':
      return formatSpecifier(node);
    case 'string':
    case 'concatenated_string':
      return strings(node);
    case 'integer':
    case 'float':
      return canonicalNumber(node.text);
    default:
      if (node.childCount === 0) return node.isNamed ? node.text : node.type;
      return sequence(node.type, parts(node));
  }
}

/** Canonical spellings of the children that carry meaning, in order. */
export function parts(node: Node): string[] {
  return meaningful(node).map(canonical);
}

/** Whether the node has a comma of its own, which makes a tuple. */
export function hasComma(node: Node): boolean {
  return node.children.some((child) => child.type === ',');
}

function meaningful(node: Node): Node[] {
  return node.children.filter(
    (child) => !child.isExtra && child.type !== 'line_continuation' && !punctuation.has(child.type),
  );
}

function sequence(name: string, items: readonly string[]): string {
  return `${name}(${items.join(' ')})`;
}

/** The one child of a wrapper, or the wrapper itself where it holds more. */
function inner(node: Node): string {
  if (!node.isNamed) return node.type;
  const children = meaningful(node);
  const only = children[0];
  return children.length === 1 && only !== undefined
    ? canonical(only)
    : sequence(node.type, children.map(canonical));
}

function tuplePattern(node: Node): string {
  const children = parts(node);
  if (children.length === 1 && !hasComma(node)) return children[0] ?? '';
  // In a `case`, `(a, b)`, `a, b` and `[a, b]` are one pattern.
  const inCase =
    node.namedChildren.some((child) => child.type === 'case_pattern') ||
    (node.parent !== null &&
      /^(case_pattern|union_pattern|as_pattern|keyword_pattern|dict_pattern)$/.test(node.parent.type));
  return sequence(inCase ? 'list' : 'tuple', children);
}

function subscript(node: Node): string {
  const value = node.childForFieldName('value');
  const keys = node.childrenForFieldName('subscript').filter((key) => key.type !== ',');
  const key =
    keys.length > 1 || hasComma(node)
      ? sequence('tuple', keys.map(canonical))
      : keys.map(canonical).join(' ');
  return sequence('subscript', [value === null ? '' : canonical(value), key]);
}

function slice(node: Node): string {
  const items = parts(node);
  // `a[1::]` is `a[1:]`.
  if (items.at(-1) === ':' && items.filter((item) => item === ':').length === 2) items.pop();
  return sequence('slice', items);
}

/** `{x=}` is the text `x=` and then `{x!r}`. */
function interpolation(node: Node): Piece[] {
  const items = meaningful(node);
  const mark = items.find((child) => child.type === '=');
  if (mark === undefined) return [{ code: sequence('interpolation', items.map(canonical)) }];
  const after = /^\s*/.exec(node.text.slice(mark.endIndex - node.startIndex))?.[0] ?? '';
  const shown = node.text.slice(1, mark.endIndex - node.startIndex) + after;
  const rest = items.filter((child) => child !== mark).map(canonical);
  return [{ text: shown }, { code: sequence('interpolation', rest.length === 1 ? [...rest, '!r'] : rest) }];
}

/** The literal text between nested replacement fields has no nodes of its own. */
function formatSpecifier(node: Node): string {
  const whole = node.text;
  const items: string[] = [];
  let at = node.startIndex;
  for (const child of node.namedChildren) {
    items.push(
      JSON.stringify(whole.slice(at - node.startIndex, child.startIndex - node.startIndex)),
      canonical(child),
    );
    at = child.endIndex;
  }
  items.push(JSON.stringify(whole.slice(at - node.startIndex)));
  return sequence(node.type, items);
}

type Piece = { readonly text: string } | { readonly code: string };

/** Adjacent strings are one string; prefixes and quotes are gone; what is computed inside an f-string is canonical. */
function strings(node: Node): string {
  const pieces: Piece[] = [];
  let kind: 'text' | 'bytes' | 'format' | 'template' = 'text';
  for (const one of node.type === 'string'
    ? [node]
    : node.children.filter((child) => child.type === 'string')) {
    const prefix = stringPrefix(one);
    if (/b/i.test(prefix)) kind = 'bytes';
    else if (/t/i.test(prefix)) kind = 'template';
    else if (/f/i.test(prefix)) kind = 'format';
    pieces.push(...stringPieces(one, prefix));
  }
  const merged: string[] = [];
  let text = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      text += piece.text;
    } else {
      if (text !== '') merged.push(JSON.stringify(text));
      text = '';
      merged.push(piece.code);
    }
  }
  if (text !== '' || merged.length === 0) merged.push(JSON.stringify(text));
  return sequence(kind, merged);
}

function stringPrefix(node: Node): string {
  return /^[a-zA-Z]*/.exec(node.text)?.[0] ?? '';
}

function stringPieces(node: Node, prefix: string): Piece[] {
  const formatted = /[ft]/i.test(prefix);
  const pieces: Piece[] = [];
  for (const child of node.children) {
    if (child.type === 'string_content') {
      const text = formatted ? child.text.replaceAll('{{', '{').replaceAll('}}', '}') : child.text;
      pieces.push({ text: decodeString(prefix, text) });
    } else if (child.type === 'interpolation') {
      pieces.push(...interpolation(child));
    }
  }
  return pieces;
}

/** The value of a statement that is only a plain string, or null: docstrings and strings used as comments. */
export function lonelyString(statement: Node): string | null {
  let node: Node | undefined = statement;
  while (
    node !== undefined &&
    (node.type === 'expression_statement' || node.type === 'parenthesized_expression')
  ) {
    const children = meaningful(node);
    if (children.length !== 1 || hasComma(node)) return null;
    node = children[0];
  }
  if (node === undefined || (node.type !== 'string' && node.type !== 'concatenated_string')) return null;
  const value = strings(node);
  return value.startsWith('text(') ? (JSON.parse(value.slice('text('.length, -1)) as string) : null;
}
