// Syntax flows in, names flow out: what a statement binds and what it reads, scope by scope
// (Python language reference, section 4.2).
import { childByField, textOf, type PyNode, type SourceFile } from './syntax.js';
import type { Statement } from './statements.js';

export interface ImportedName {
  /** Dots of a relative import. */
  readonly level: number;
  /** Dotted module, '' for `from . import x`. */
  readonly module: string;
  /** Imported name, '' for `import a.b`, '*' for all. */
  readonly name: string;
  /** Name that is bound; for `import a.b` that is `a`. */
  readonly bound: string;
  /** `import a.b as c` binds the submodule itself. */
  readonly aliased: boolean;
  readonly node: PyNode;
}

/** Names of an `import` or `from … import` statement, in order. */
export function importedNames(file: SourceFile, node: PyNode): readonly ImportedName[] {
  const out: ImportedName[] = [];
  const moduleNode = childByField(node, 'module_name');
  let level = 0;
  let module = '';
  if (moduleNode !== undefined) {
    const text = textOf(file, moduleNode).replaceAll(/\s|\\/g, '');
    level = /^\.*/.exec(text)?.[0].length ?? 0;
    module = text.slice(level);
  }
  for (const child of node.children) {
    if (child.type === 'wildcard_import')
      out.push({ level, module, name: '*', bound: '*', aliased: false, node: child });
    if (child.field !== 'name') continue;
    const nameNode = child.type === 'aliased_import' ? childByField(child, 'name') : child;
    const aliasNode = child.type === 'aliased_import' ? childByField(child, 'alias') : undefined;
    const name = nameNode === undefined ? '' : textOf(file, nameNode).replaceAll(/\s/g, '');
    const alias = aliasNode === undefined ? undefined : textOf(file, aliasNode);
    if (moduleNode === undefined) {
      out.push({
        level: 0,
        module: name,
        name: '',
        bound: alias ?? name.split('.')[0] ?? name,
        aliased: alias !== undefined,
        node: child,
      });
    } else out.push({ level, module, name, bound: alias ?? name, aliased: alias !== undefined, node: child });
  }
  return out;
}

/** Names bound by an assignment target, `for` target, `with … as` target or pattern. */
export function targetNames(file: SourceFile, node: PyNode, add: (name: string) => void): void {
  switch (node.type) {
    case 'identifier':
      add(textOf(file, node));
      return;
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'tuple':
    case 'list':
    case 'list_splat_pattern':
    case 'list_splat':
    case 'expression_list':
    case 'parenthesized_expression':
    case 'as_pattern_target':
      for (const child of node.children) targetNames(file, child, add);
      return;
    default:
  }
}

function patternNames(file: SourceFile, node: PyNode, add: (name: string) => void): void {
  if (node.type === 'dotted_name') {
    // A single name in a pattern is a capture; a dotted one is a value.
    if (node.children.length === 1 && node.field !== 'class') add(textOf(file, node));
    return;
  }
  if (node.type === 'class_pattern') {
    for (const child of node.children.slice(1)) patternNames(file, child, add);
    return;
  }
  if (node.type === 'identifier') add(textOf(file, node));
  for (const child of node.children) patternNames(file, child, add);
}

/** Names that walrus expressions below `node` bind in the enclosing function (PEP 572). */
function walrusNames(file: SourceFile, node: PyNode, add: (name: string) => void): void {
  if (node.type === 'lambda' || node.type === 'block') return;
  if (node.type === 'named_expression') {
    const name = childByField(node, 'name');
    if (name !== undefined) add(textOf(file, name));
  }
  for (const child of node.children) walrusNames(file, child, add);
}

/** Names that one statement itself binds in its own scope; its suites are not entered. */
export function boundNames(file: SourceFile, statement: Statement): readonly string[] {
  const names = new Set<string>();
  const add = (name: string) => names.add(name);
  const { node } = statement;
  switch (statement.kind) {
    case 'function':
    case 'class':
      add(statement.name);
      for (const decorator of statement.decorators) walrusNames(file, decorator, add);
      break;
    case 'import':
    case 'from':
      for (const imported of importedNames(file, node)) if (imported.bound !== '*') add(imported.bound);
      break;
    case 'assign':
    case 'annotation':
    case 'augmented': {
      let current: PyNode | undefined = node.children[0];
      while (
        current !== undefined &&
        (current.type === 'assignment' || current.type === 'augmented_assignment')
      ) {
        const left = childByField(current, 'left');
        if (left !== undefined) targetNames(file, left, add);
        current = childByField(current, 'right');
      }
      walrusNames(file, node, add);
      break;
    }
    case 'for':
      for (const part of statement.suites[0]?.header ?? []) {
        if (part.field === 'left') targetNames(file, part, add);
        else walrusNames(file, part, add);
      }
      break;
    case 'with':
      for (const part of statement.suites[0]?.header ?? []) withTargets(file, part, add);
      break;
    case 'try':
      for (const suite of statement.suites) {
        if (suite.role !== 'except') continue;
        for (const part of suite.header) {
          const alias =
            part.type === 'as_pattern'
              ? childByField(part, 'alias')
              : part.field === 'alias'
                ? part
                : undefined;
          if (alias !== undefined) targetNames(file, alias, add);
        }
      }
      break;
    case 'match':
      for (const suite of statement.suites) {
        for (const part of suite.header) {
          if (part.type === 'case_pattern') patternNames(file, part, add);
          else walrusNames(file, part, add);
        }
      }
      walrusNames(file, node, add);
      break;
    case 'delete':
      for (const child of node.children) targetNames(file, child, add);
      break;
    case 'type': {
      const left = childByField(node, 'left');
      const first = left === undefined ? undefined : firstIdentifier(left);
      if (first !== undefined) add(textOf(file, first));
      break;
    }
    case 'if':
    case 'while':
      for (const suite of statement.suites) for (const part of suite.header) walrusNames(file, part, add);
      break;
    default:
      walrusNames(file, node, add);
  }
  return [...names];
}

function withTargets(file: SourceFile, node: PyNode, add: (name: string) => void): void {
  if (node.type === 'as_pattern') {
    const alias = childByField(node, 'alias');
    if (alias !== undefined) targetNames(file, alias, add);
    return;
  }
  for (const child of node.children) withTargets(file, child, add);
}

function firstIdentifier(node: PyNode): PyNode | undefined {
  if (node.type === 'identifier') return node;
  for (const child of node.children) {
    const found = firstIdentifier(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parameter names of a function or lambda. */
export function parameterNames(file: SourceFile, parameters: PyNode | undefined): readonly string[] {
  if (parameters === undefined) return [];
  const names: string[] = [];
  const visit = (node: PyNode): void => {
    if (node.type === 'identifier') {
      names.push(textOf(file, node));
      return;
    }
    if (node.type === 'type') return;
    if (node.type === 'default_parameter' || node.type === 'typed_default_parameter') {
      const name = childByField(node, 'name');
      if (name !== undefined) visit(name);
      return;
    }
    for (const child of node.children) visit(child);
  };
  for (const child of parameters.children) visit(child);
  return names;
}

export interface FunctionScope {
  readonly locals: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly isGenerator: boolean;
  readonly parameters: readonly string[];
  /** Local names that only import statements bind. */
  readonly imported: ReadonlySet<string>;
}

function yields(node: PyNode): boolean {
  if (node.type === 'yield') return true;
  if (node.type === 'lambda' || node.type === 'function_definition' || node.type === 'class_definition')
    return false;
  return node.children.some(yields);
}

/** The local names whose reads mean nothing outside the function. */
export function opaqueLocals(scope: FunctionScope): ReadonlySet<string> {
  return scope.imported.size === 0
    ? scope.locals
    : new Set([...scope.locals].filter((name) => !scope.imported.has(name)));
}

/** The scope of a function by its whole original body: local names, declared globals, generator or not. */
export function functionScope(file: SourceFile, statement: Statement): FunctionScope {
  const parameters = parameterNames(file, childByField(statement.core, 'parameters'));
  const locals = new Set<string>(parameters);
  const globals = new Set<string>();
  const imported = new Set<string>();
  const typeParameters = childByField(statement.core, 'type_parameters');
  if (typeParameters !== undefined) identifiers(file, typeParameters, (name) => locals.add(name));
  const visit = (statements: readonly Statement[]): void => {
    for (const inner of statements) {
      if (inner.kind === 'global' || inner.kind === 'nonlocal') {
        for (const child of inner.node.children)
          globals.add((inner.kind === 'global' ? '' : '\u0000') + textOf(file, child));
      } else if (inner.kind === 'import' || inner.kind === 'from')
        for (const name of boundNames(file, inner)) imported.add(name);
      else for (const name of boundNames(file, inner)) locals.add(name);
      if (inner.kind !== 'function' && inner.kind !== 'class')
        for (const suite of inner.suites) visit(suite.statements);
    }
  };
  for (const suite of statement.suites) visit(suite.statements);
  for (const name of locals) imported.delete(name);
  for (const name of imported) locals.add(name);
  const onlyGlobal = new Set<string>();
  for (const name of globals) {
    locals.delete(name.replace('\u0000', ''));
    imported.delete(name.replace('\u0000', ''));
    if (!name.startsWith('\u0000')) onlyGlobal.add(name);
  }
  const body = statement.core.children.find((child) => child.type === 'block');
  return {
    locals,
    globals: onlyGlobal,
    isGenerator: body !== undefined && yields(body),
    parameters,
    imported,
  };
}

const comprehensions = new Set([
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
]);

/**
 * Every identifier below a node that stands for a name of its scope: attribute and keyword names are none, nor are
 * those that a comprehension or a lambda keeps to itself.
 */
export function identifiers(file: SourceFile, node: PyNode, add: (name: string) => void): void {
  if (node.field === 'attribute') return;
  if (node.type === 'keyword_argument') {
    for (const child of node.children) if (child.field !== 'name') identifiers(file, child, add);
    return;
  }
  if (node.type === 'identifier') add(textOf(file, node));
  const own = new Set<string>();
  const inside = (name: string): void => {
    if (!own.has(name)) add(name);
  };
  if (comprehensions.has(node.type)) {
    const clauses = node.children.filter((child) => child.type === 'for_in_clause');
    for (const clause of clauses) {
      const left = childByField(clause, 'left');
      if (left !== undefined) targetNames(file, left, (name) => own.add(name));
    }
    // The first iterable is evaluated outside.
    const first = clauses[0] === undefined ? undefined : childByField(clauses[0], 'right');
    if (first !== undefined) identifiers(file, first, add);
    for (const child of node.children) {
      if (child !== clauses[0]) identifiers(file, child, inside);
      else
        for (const part of child.children)
          if (part !== first && part.field !== 'left') identifiers(file, part, inside);
    }
    return;
  }
  if (node.type === 'lambda') {
    const parameters = childByField(node, 'parameters');
    for (const name of parameterNames(file, parameters)) own.add(name);
    // Defaults are evaluated outside.
    for (const child of parameters?.children ?? []) {
      const value = childByField(child, 'value');
      if (value !== undefined) identifiers(file, value, add);
    }
    const body = childByField(node, 'body');
    if (body !== undefined) identifiers(file, body, inside);
    return;
  }
  for (const child of node.children) identifiers(file, child, add);
}
