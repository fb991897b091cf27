// Plain syntax flows in, a tree of statements with their suites flows out; each statement has the position that
// Python's own `ast` gives it (PEP 3146 style: line and UTF-8 column), which is how a trace addresses it.
import { childByField, type PyNode, type SourceFile } from './syntax.js';

export type SuiteRole = 'body' | 'elif' | 'else' | 'except' | 'finally' | 'case';

export interface Suite {
  readonly role: SuiteRole;
  /** The clause (`elif …`, `except …`, `case …`), or the statement itself for its first body. */
  readonly clause: PyNode;
  /** Nodes of the header: conditions, patterns, exception types, context managers. */
  readonly header: readonly PyNode[];
  readonly statements: readonly Statement[];
  /** Zero-based row of the clause's first line. */
  readonly row: number;
  /** The suite stands on its header's last line (`if x: y`). */
  readonly inline: boolean;
  /** Just behind the colon that ends the header: zero-based row, UTF-16 column. */
  readonly colon: { readonly row: number; readonly column: number };
  /** For `elif`, which Python sees as a nested `if`: its own position, else null. */
  readonly position: Position | null;
}

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 0-based, in UTF-8 bytes. */
  readonly column: number;
}

export type StatementKind =
  | 'function'
  | 'class'
  | 'if'
  | 'for'
  | 'while'
  | 'with'
  | 'try'
  | 'match'
  | 'import'
  | 'from'
  | 'future'
  | 'global'
  | 'nonlocal'
  | 'pass'
  | 'docstring'
  | 'assign'
  | 'augmented'
  | 'annotation'
  | 'expression'
  | 'delete'
  | 'return'
  | 'raise'
  | 'break'
  | 'continue'
  | 'assert'
  | 'type'
  | 'other';

export interface Statement {
  readonly kind: StatementKind;
  /** The whole statement, decorators included. */
  readonly node: PyNode;
  /** The `function_definition` or `class_definition` itself; the statement's node otherwise. */
  readonly core: PyNode;
  readonly decorators: readonly PyNode[];
  /** Name of a function or class, '' otherwise. */
  readonly name: string;
  readonly position: Position;
  /** Zero-based rows, decorators included. */
  readonly firstRow: number;
  readonly lastRow: number;
  readonly suites: readonly Suite[];
}

function positionOf(file: SourceFile, node: PyNode): Position {
  const before = (file.lines[node.row] ?? '').slice(0, node.column);
  const column = /^[\x00-\x7f]*$/.test(before) ? node.column : new TextEncoder().encode(before).length;
  return { line: node.row + 1, column };
}

function lastRowOf(node: PyNode): number {
  // A block's node may end at the start of a following row; its last child tells the true end.
  const last = node.children.findLast((child) => child.type !== 'comment');
  if (last !== undefined && (node.type === 'block' || last.type === 'block' || last.type.endsWith('_clause')))
    return lastRowOf(last);
  if (node.type === 'decorated_definition' && last !== undefined) return lastRowOf(last);
  return node.endRow;
}

function suiteOf(
  file: SourceFile,
  role: SuiteRole,
  clause: PyNode,
  header: readonly PyNode[],
  block: PyNode | undefined,
  docstring: boolean,
): Suite {
  const statements = block === undefined ? [] : statementsOf(file, block.children, docstring);
  const colon = colonOf(file, clause, header);
  const [first] = statements;
  return {
    role,
    clause,
    header,
    statements,
    row: clause.row,
    inline: first?.firstRow === colon.row,
    colon,
    position: role === 'elif' ? positionOf(file, clause) : null,
  };
}

/** The header's own colon: the first one behind its last part, so that no annotation, slice or comment counts. */
function colonOf(
  file: SourceFile,
  clause: PyNode,
  header: readonly PyNode[],
): { readonly row: number; readonly column: number } {
  const from = Math.max(clause.start, ...header.map((node) => node.end));
  const at = file.text.indexOf(':', from);
  const end = at === -1 ? from : at + 1;
  const lineStart = file.text.lastIndexOf('\n', end - 1) + 1;
  let row = clause.row;
  for (let i = clause.start; i < end; i += 1) if (file.text[i] === '\n') row += 1;
  return { row, column: end - lineStart };
}

function blockOf(node: PyNode): PyNode | undefined {
  return node.children.find((child) => child.type === 'block');
}

function compound(file: SourceFile, node: PyNode): readonly Suite[] {
  const pick = (field: string) => node.children.filter((child) => child.field === field);
  const clauses: Suite[] = [];
  const addClauses = () => {
    for (const child of node.children) {
      if (child.type === 'elif_clause') {
        const condition = childByField(child, 'condition');
        clauses.push(
          suiteOf(file, 'elif', child, condition === undefined ? [] : [condition], blockOf(child), false),
        );
      } else if (child.type === 'else_clause')
        clauses.push(suiteOf(file, 'else', child, [], blockOf(child), false));
      else if (child.type === 'finally_clause')
        clauses.push(suiteOf(file, 'finally', child, [], blockOf(child), false));
      else if (child.type === 'except_clause' || child.type === 'except_group_clause')
        clauses.push(
          suiteOf(
            file,
            'except',
            child,
            child.children.filter((c) => c.type !== 'block' && c.type !== 'comment'),
            blockOf(child),
            false,
          ),
        );
    }
  };
  const direct = blockOf(node);
  switch (node.type) {
    case 'if_statement':
      clauses.push(suiteOf(file, 'body', node, pick('condition'), direct, false));
      break;
    case 'while_statement':
      clauses.push(suiteOf(file, 'body', node, pick('condition'), direct, false));
      break;
    case 'for_statement':
      clauses.push(suiteOf(file, 'body', node, [...pick('left'), ...pick('right')], direct, false));
      break;
    case 'with_statement':
      clauses.push(
        suiteOf(
          file,
          'body',
          node,
          node.children.filter((c) => c.type === 'with_clause'),
          direct,
          false,
        ),
      );
      break;
    case 'try_statement':
      clauses.push(suiteOf(file, 'body', node, [], direct, false));
      break;
    case 'match_statement': {
      const cases = direct === undefined ? [] : direct.children.filter((c) => c.type === 'case_clause');
      for (const clause of cases)
        clauses.push(
          suiteOf(
            file,
            'case',
            clause,
            clause.children.filter((c) => c.type !== 'block' && c.type !== 'comment'),
            blockOf(clause),
            false,
          ),
        );
      return clauses;
    }
    default:
      return [];
  }
  addClauses();
  return clauses;
}

const compoundKinds: Readonly<Record<string, StatementKind>> = {
  if_statement: 'if',
  for_statement: 'for',
  while_statement: 'while',
  with_statement: 'with',
  try_statement: 'try',
  match_statement: 'match',
};

const simpleKinds: Readonly<Record<string, StatementKind>> = {
  import_statement: 'import',
  import_from_statement: 'from',
  future_import_statement: 'future',
  global_statement: 'global',
  nonlocal_statement: 'nonlocal',
  pass_statement: 'pass',
  delete_statement: 'delete',
  return_statement: 'return',
  raise_statement: 'raise',
  break_statement: 'break',
  continue_statement: 'continue',
  assert_statement: 'assert',
  type_alias_statement: 'type',
};

function expressionKind(node: PyNode, docstring: boolean): StatementKind {
  const [inner] = node.children;
  if (inner === undefined || node.children.length > 1) return 'expression';
  if (inner.type === 'assignment') {
    return inner.children.some((c) => c.field === 'right') ? 'assign' : 'annotation';
  }
  if (inner.type === 'augmented_assignment') return 'augmented';
  const isText = inner.type === 'string' || (inner.type === 'concatenated_string' && docstring);
  if (docstring && isText && !holdsInterpolation(inner)) return 'docstring';
  return 'expression';
}

function holdsInterpolation(node: PyNode): boolean {
  return node.type === 'interpolation' || node.children.some(holdsInterpolation);
}

/** Cuts the children of a module or block into statements. `docstring`: the first string is one. */
export function statementsOf(
  file: SourceFile,
  nodes: readonly PyNode[],
  docstring: boolean,
): readonly Statement[] {
  const out: Statement[] = [];
  for (const node of nodes) {
    if (node.type === 'comment' || node.type === 'ERROR') continue;
    const decorated = node.type === 'decorated_definition';
    const core = decorated ? (childByField(node, 'definition') ?? node) : node;
    let kind: StatementKind = simpleKinds[node.type] ?? compoundKinds[node.type] ?? 'other';
    let suites: readonly Suite[] = [];
    if (core.type === 'function_definition' || core.type === 'class_definition') {
      kind = core.type === 'function_definition' ? 'function' : 'class';
      const header = core.children.filter((c) => c.type !== 'block' && c.type !== 'comment');
      suites = [suiteOf(file, 'body', core, header, blockOf(core), true)];
    } else if (node.type === 'expression_statement')
      kind = expressionKind(node, docstring && out.length === 0);
    else if (node.type in compoundKinds) suites = compound(file, node);
    const nameNode = childByField(core, 'name');
    out.push({
      kind,
      node,
      core,
      decorators: decorated ? node.children.filter((c) => c.type === 'decorator') : [],
      name:
        (kind === 'function' || kind === 'class') && nameNode !== undefined
          ? file.text.slice(nameNode.start, nameNode.end)
          : '',
      position: positionOf(file, core),
      firstRow: node.row,
      lastRow: lastRowOf(node),
      suites,
    });
  }
  return out;
}

/** Statements of a whole file. */
export function moduleStatements(file: SourceFile): readonly Statement[] {
  return statementsOf(file, file.root.children, true);
}

/** Calls `visit` for every statement of a list, outer ones first, functions and classes entered too. */
export function walkStatements(
  statements: readonly Statement[],
  visit: (statement: Statement) => void,
): void {
  for (const statement of statements) {
    visit(statement);
    for (const suite of statement.suites) walkStatements(suite.statements, visit);
  }
}
