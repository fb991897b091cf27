// One file's syntax tree flows in, the pytest tests that it defines flow out, in the order of the text.
// Nothing is imported or run: what pytest collects only after executing code (generated tests, methods inherited from
// classes of other files) is not seen.
import type { TestItem } from '../model/testItem.js';
import type { Node, Tree } from './parse.js';
import { matchesName, pytestDefaults, type PytestNames } from './pytestNames.js';

interface Scope {
  /** Node id of the scope: the file, then `file::TestX`. */
  readonly id: string;
  readonly kind: TestItem['kind'];
  readonly parametrized: boolean;
}

/** A `def` or `class` with the decorators above it. */
interface Definition {
  readonly node: Node;
  readonly name: string;
  readonly decorators: readonly Node[];
  /** The first decorator, or the definition itself. */
  readonly first: Node;
}

/**
 * Lists the tests that pytest would collect from one file.
 * @param file repo-relative POSIX path, the first part of each node id
 * @param names the naming rules of the codebase, pytest's defaults where not given
 */
export function discoverTests(tree: Tree, file: string, names: PytestNames = pytestDefaults): TestItem[] {
  const unittests = unittestClasses(tree.rootNode);
  const classes = topClasses(tree.rootNode);
  const items: TestItem[] = [];

  const visitBlock = (block: Node, scope: Scope): void => {
    const { definitions, inner } = partsOf(block);
    for (const definition of definitions) {
      if (definition.node.type === 'class_definition') visitClass(definition, scope);
      else visitFunction(definition, scope);
    }
    for (const nested of inner) visitBlock(nested, scope);
  };

  const visitFunction = ({ node, name, decorators, first }: Definition, scope: Scope): void => {
    // The unittest loader collects its methods itself: pytest's naming options do not reach it.
    const collected =
      scope.kind === 'unittest' ? name.startsWith('test') : matchesName(name, names.functions);
    if (!collected || decorators.some((decorator) => calls(decorator, 'fixture'))) return;
    items.push({
      nodeId: `${scope.id}::${name}`,
      line: node.startPosition.row + 1,
      firstLine: first.startPosition.row + 1,
      lastLine: lastLineOf(node),
      kind: scope.kind,
      parametrized: scope.parametrized || decorators.some((decorator) => calls(decorator, 'parametrize')),
      isAsync: node.child(0)?.type === 'async',
    });
  };

  const visitClass = ({ node, name, decorators, first }: Definition, scope: Scope): void => {
    const body = node.childForFieldName('body');
    if (body === null || scope.kind === 'unittest') return;
    const isUnittest = unittests.has(node.id);
    if (!isUnittest && (!matchesName(name, names.classes) || hasConstructor(body))) return;
    if (optsOut(body)) return;
    const inner: Scope = {
      id: `${scope.id}::${name}`,
      kind: isUnittest ? 'unittest' : 'method',
      parametrized:
        scope.parametrized ||
        marksParametrized(body) ||
        decorators.some((decorator) => calls(decorator, 'parametrize')),
    };
    visitBlock(body, inner);
    visitInherited(node, first, inner);
  };

  /** Methods of bases in the same file are collected once more under the class that inherits them. */
  const visitInherited = (node: Node, first: Node, scope: Scope): void => {
    const line = node.startPosition.row + 1;
    const place = { line, firstLine: first.startPosition.row + 1, lastLine: line };
    for (const [name, { inheritedFrom, method }] of inheritedMethods(node, classes)) {
      const known = items.length;
      visitFunction(method, scope);
      const item = items[known];
      if (item !== undefined)
        items[known] = { ...item, ...place, nodeId: `${scope.id}::${name}`, inheritedFrom };
    }
  };

  if (!optsOut(tree.rootNode)) {
    visitBlock(tree.rootNode, { id: file, kind: 'function', parametrized: marksParametrized(tree.rootNode) });
  }
  return items.sort((a, b) => a.line - b.line);
}

/** Definitions that stand directly in the block, and the blocks of its `if`, `try`, `with`… statements, which share its namespace. */
function partsOf(block: Node): { definitions: Definition[]; inner: Node[] } {
  const byName = new Map<string, Definition>();
  const inner: Node[] = [];
  for (const statement of block.namedChildren) {
    const definition = definitionOf(statement);
    // A later definition of the same name replaces the earlier one: pytest never sees that.
    if (definition !== null) byName.set(definition.name, definition);
    else if (!isMainGuard(statement)) inner.push(...blocksOf(statement));
  }
  return { definitions: [...byName.values()], inner };
}

function definitionOf(statement: Node): Definition | null {
  const decorated = statement.type === 'decorated_definition';
  const node = decorated ? statement.childForFieldName('definition') : statement;
  if (node === null || (node.type !== 'function_definition' && node.type !== 'class_definition')) return null;
  const name = node.childForFieldName('name')?.text ?? '';
  const decorators = decorated ? statement.namedChildren.filter((child) => child.type === 'decorator') : [];
  return { node, name, decorators, first: decorators[0] ?? node };
}

function blocksOf(statement: Node): Node[] {
  return statement.namedChildren.flatMap((child) => {
    if (child.type === 'block') return [child];
    return child.type.endsWith('_clause') ? blocksOf(child) : [];
  });
}

/** What stands under `if __name__ == "__main__":` does not exist when pytest imports the file. */
function isMainGuard(statement: Node): boolean {
  const condition = statement.type === 'if_statement' ? statement.childForFieldName('condition') : null;
  return condition !== null && /^__name__\s*==|==\s*__name__$/.test(condition.text);
}

/** Whether the decorator is, or calls, something whose last name is `name`: `@fixture`, `@pytest.mark.parametrize(...)`. */
function calls(decorator: Node, name: string): boolean {
  const expression = decorator.namedChildren[0];
  const callee = expression?.type === 'call' ? expression.childForFieldName('function') : expression;
  return callee != null && lastName(callee) === name;
}

function lastName(expression: Node): string {
  if (expression.type === 'attribute') return expression.childForFieldName('attribute')?.text ?? '';
  return expression.type === 'identifier' ? expression.text : '';
}

/** pytest does not collect plain classes that have a constructor of their own. */
function hasConstructor(body: Node): boolean {
  return partsOf(body).definitions.some(
    ({ name, node }) => node.type === 'function_definition' && (name === '__init__' || name === '__new__'),
  );
}

function assignments(block: Node): { target: string; value: string }[] {
  return block.namedChildren.flatMap((statement) => {
    const assignment = statement.type === 'expression_statement' ? statement.namedChildren[0] : undefined;
    if (assignment?.type !== 'assignment') return [];
    return [
      {
        target: assignment.childForFieldName('left')?.text ?? '',
        value: assignment.childForFieldName('right')?.text ?? '',
      },
    ];
  });
}

function optsOut(block: Node): boolean {
  return assignments(block).some(({ target, value }) => target === '__test__' && value === 'False');
}

function marksParametrized(block: Node): boolean {
  return assignments(block).some(
    ({ target, value }) => target === 'pytestmark' && /\bparametrize\b/.test(value),
  );
}

/** Ids of the class nodes that are unittest cases: a base named `…TestCase`, or a base in this file that is one. */
function unittestClasses(root: Node): ReadonlySet<number> {
  const classes = new Map<string, { id: number; bases: readonly string[] }>();
  for (const node of root.descendantsOfType('class_definition')) {
    const superclasses = node.childForFieldName('superclasses');
    const bases = superclasses === null ? [] : superclasses.namedChildren.map(lastName);
    classes.set(node.childForFieldName('name')?.text ?? '', { id: node.id, bases });
  }
  const isCase = (name: string, seen: ReadonlySet<string>): boolean => {
    const known = classes.get(name);
    if (known === undefined) return name.endsWith('TestCase');
    if (seen.has(name)) return false;
    return known.bases.some((base) =>
      base === name ? base.endsWith('TestCase') : isCase(base, new Set([...seen, name])),
    );
  };
  return new Set([...classes].filter(([name]) => isCase(name, new Set())).map(([, { id }]) => id));
}

function topClasses(root: Node): ReadonlyMap<string, Node> {
  const { definitions, inner } = partsOf(root);
  const own = definitions.filter(({ node }) => node.type === 'class_definition');
  return new Map([
    ...inner.flatMap((block) => [...topClasses(block)]),
    ...own.map(({ name, node }) => [name, node] as const),
  ]);
}

interface Inherited {
  readonly inheritedFrom: string;
  readonly method: Definition;
}

/** What the bases of a class bring that it does not define itself; the nearest base comes first. */
function inheritedMethods(
  node: Node,
  classes: ReadonlyMap<string, Node>,
  seen: ReadonlySet<number> = new Set(),
): ReadonlyMap<string, Inherited> {
  const body = node.childForFieldName('body');
  // `test_x = None` takes an inherited test away.
  const assigned = body === null ? [] : assignments(body).map(({ target }) => target);
  const own = new Set([...methodsOf(node).map(({ name }) => name), ...assigned]);
  const found = new Map<string, Inherited>();
  for (const base of node.childForFieldName('superclasses')?.namedChildren ?? []) {
    const definition = base.type === 'identifier' ? classes.get(base.text) : undefined;
    if (definition === undefined || definition.id === node.id || seen.has(definition.id)) continue;
    const further = inheritedMethods(definition, classes, new Set([...seen, node.id]));
    const direct = methodsOf(definition).map(
      (method) => [method.name, { inheritedFrom: base.text, method }] as const,
    );
    for (const [name, inherited] of [...direct, ...further])
      if (!own.has(name) && !found.has(name)) found.set(name, inherited);
  }
  return found;
}

function methodsOf(node: Node): readonly Definition[] {
  const body = node.childForFieldName('body');
  if (body === null) return [];
  return partsOf(body).definitions.filter((definition) => definition.node.type === 'function_definition');
}

function lastLineOf(node: Node): number {
  return node.endPosition.column === 0 ? node.endPosition.row : node.endPosition.row + 1;
}
