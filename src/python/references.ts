// Syntax flows in, references to names of the enclosing module flow out: each free identifier with the attribute
// chain read from it, and each string that could name something.
import { boundNames, functionScope, opaqueLocals, parameterNames, targetNames } from './names.js';
import { statementsOf, type Statement } from './statements.js';
import { childByField, textOf, type PyNode, type SourceFile } from './syntax.js';

export interface Reference {
  readonly name: string;
  /** `a.b.c` has the chain `['b', 'c']`. */
  readonly chain: readonly string[];
  /** Read in a class body that binds the same name: the module's may or may not be meant. */
  readonly maybeOwn: boolean;
  /** Called at once. */
  readonly called: boolean;
}

export interface ReferenceSink {
  reference(reference: Reference): void;
  /** An attribute name; `called` where the attribute is called at once. */
  attribute(name: string, called: boolean): void;
  /** Content of a plain string literal that reads like a (dotted) name. */
  string(content: string): void;
}

export type Scopes = readonly ReadonlySet<string>[];

export interface ReferenceOptions {
  /** Annotations are not evaluated (PEP 563). */
  readonly lazyAnnotations: boolean;
  /** Names that the class body around the node binds. */
  readonly classNames?: ReadonlySet<string>;
  /** Parts that are left out. */
  readonly without?: ReadonlySet<PyNode>;
}

const nameLike = /^[A-Za-z_][\w.:-]*$/;

/** Emits every reference below `node` that no enclosing function scope binds. */
export function collectReferences(
  file: SourceFile,
  node: PyNode,
  scopes: Scopes,
  options: ReferenceOptions,
  sink: ReferenceSink,
): void {
  let own: ReadonlySet<string> = options.classNames ?? new Set<string>();
  const emitName = (name: string, chain: readonly string[], inner: Scopes, called = false) => {
    if (inner.some((scope) => scope.has(name))) return;
    sink.reference({ name, chain, maybeOwn: inner.length === scopes.length && own.has(name), called });
  };
  const visitAll = (nodes: readonly PyNode[], inner: Scopes) => {
    for (const child of nodes) visit(child, inner, false);
  };
  const visit = (at: PyNode, inner: Scopes, called: boolean): void => {
    if (options.without?.has(at) === true) return;
    switch (at.type) {
      case 'comment':
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        return;
      case 'identifier':
        emitName(textOf(file, at), [], inner, called);
        return;
      case 'attribute': {
        const chain: string[] = [];
        let base: PyNode = at;
        let first = true;
        while (base.type === 'attribute') {
          const attribute = childByField(base, 'attribute');
          const object = childByField(base, 'object');
          if (attribute === undefined || object === undefined) break;
          const name = textOf(file, attribute);
          if (!(first && at.field === 'left')) sink.attribute(name, first && called);
          first = false;
          chain.unshift(name);
          base = object;
        }
        if (base.type === 'identifier') emitName(textOf(file, base), chain, inner, called);
        else visit(base, inner, false);
        return;
      }
      case 'call': {
        const target = childByField(at, 'function');
        if (target !== undefined) visit(target, inner, true);
        visitAll(
          at.children.filter((child) => child !== target),
          inner,
        );
        return;
      }
      case 'keyword_argument': {
        const value = childByField(at, 'value');
        if (value !== undefined) visit(value, inner, false);
        return;
      }
      case 'keyword_pattern':
        visitAll(at.children.slice(1), inner);
        return;
      case 'dotted_name': {
        const [head, ...rest] = at.children;
        if (head !== undefined)
          emitName(
            textOf(file, head),
            rest.map((part) => textOf(file, part)),
            inner,
          );
        return;
      }
      case 'lambda': {
        const parameters = childByField(at, 'parameters');
        visitParameters(parameters, inner);
        const body = childByField(at, 'body');
        if (body !== undefined) visit(body, [...inner, new Set(parameterNames(file, parameters))], false);
        return;
      }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'dictionary_comprehension':
      case 'generator_expression': {
        const bound = new Set<string>();
        for (const clause of at.children) {
          if (clause.type !== 'for_in_clause') continue;
          const left = childByField(clause, 'left');
          if (left !== undefined) targetNames(file, left, (name) => bound.add(name));
        }
        // The first iterable is evaluated outside.
        const firstClause = at.children.find((clause) => clause.type === 'for_in_clause');
        const iterable = firstClause === undefined ? undefined : childByField(firstClause, 'right');
        if (iterable !== undefined) visit(iterable, inner, false);
        visitAll(at.children, [...inner, bound]);
        return;
      }
      case 'function_definition':
      case 'class_definition':
      case 'decorated_definition': {
        const [statement] = statementsOf(file, [at], false);
        if (statement !== undefined) visitDefinition(statement, inner);
        return;
      }
      case 'string': {
        const contents = at.children.filter((child) => child.type === 'string_content');
        if (
          contents.length === 1 &&
          contents[0] !== undefined &&
          !at.children.some((child) => child.type === 'interpolation')
        ) {
          const content = textOf(file, contents[0]);
          if (nameLike.test(content)) sink.string(content);
        }
        visitAll(at.children, inner);
        return;
      }
      case 'assignment': {
        const annotation = childByField(at, 'type');
        const inClass = own.size > 0 && inner.length === scopes.length;
        const evaluated = !options.lazyAnnotations && (inner.length === 0 || inClass);
        visitAll(
          at.children.filter((child) => child !== annotation || evaluated),
          inner,
        );
        // `dataclasses` looks for these names even in annotations that are never evaluated.
        if (
          !evaluated &&
          inClass &&
          annotation !== undefined &&
          /\b(ClassVar|InitVar|KW_ONLY)\b/.test(textOf(file, annotation))
        )
          visit(annotation, inner, false);
        return;
      }
      case 'global_statement':
      case 'nonlocal_statement':
        visitAll(at.children, inner);
        return;
      default:
        visitAll(at.children, inner);
    }
  };
  const visitParameters = (parameters: PyNode | undefined, inner: Scopes): void => {
    for (const parameter of parameters?.children ?? []) {
      const value = childByField(parameter, 'value');
      if (value !== undefined) visit(value, inner, false);
      if (options.lazyAnnotations) continue;
      for (const child of parameter.children) if (child.type === 'type') visit(child, inner, false);
    }
  };
  const visitDefinition = (statement: Statement, inner: Scopes): void => {
    for (const decorator of statement.decorators) visitAll(decorator.children, inner);
    if (statement.kind === 'class') {
      const superclasses = childByField(statement.core, 'superclasses');
      if (superclasses !== undefined) visit(superclasses, inner, false);
      const body = statement.core.children.find((child) => child.type === 'block');
      const outer = own;
      own = classNames(file, statement);
      if (body !== undefined) visitAll(body.children, inner);
      own = outer;
      return;
    }
    visitHeader(statement, inner);
    const scope = functionScope(file, statement);
    const body = statement.core.children.find((child) => child.type === 'block');
    if (body !== undefined) visitAll(body.children, [...inner, opaqueLocals(scope)]);
  };
  const visitHeader = (statement: Statement, inner: Scopes): void => {
    visitParameters(childByField(statement.core, 'parameters'), inner);
    const result = childByField(statement.core, 'return_type');
    if (result !== undefined && !options.lazyAnnotations) visit(result, inner, false);
  };
  visit(node, scopes, false);
}

/** Names that a class body binds. */
export function classNames(file: SourceFile, statement: Statement): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (statements: readonly Statement[]): void => {
    for (const member of statements) {
      for (const name of boundNames(file, member)) names.add(name);
      if (member.kind !== 'function' && member.kind !== 'class')
        for (const suite of member.suites) visit(suite.statements);
    }
  };
  for (const suite of statement.suites) visit(suite.statements);
  return names;
}

/** References of a function's decorators, defaults and annotations; its body is left out. */
export function collectHeaderReferences(
  file: SourceFile,
  statement: Statement,
  scopes: Scopes,
  options: ReferenceOptions,
  sink: ReferenceSink,
): void {
  const take = (node: PyNode | undefined) => {
    if (node !== undefined) collectReferences(file, node, scopes, options, sink);
  };
  for (const decorator of statement.decorators) take(decorator);
  if (statement.kind === 'class') {
    take(childByField(statement.core, 'superclasses'));
    return;
  }
  const parameters = childByField(statement.core, 'parameters');
  for (const parameter of parameters?.children ?? []) {
    take(childByField(parameter, 'value'));
    if (!options.lazyAnnotations)
      for (const child of parameter.children) if (child.type === 'type') take(child);
  }
  if (!options.lazyAnnotations) take(childByField(statement.core, 'return_type'));
}
