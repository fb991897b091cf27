// The codebase's Python files flow in, a graph of it flows out in RepoGraph's manner (arXiv 2410.14684): a node for each
// definition, an edge where one refers to another by name, and around any name its neighbourhood in words.
import { boundNames } from '../python/names.js';
import type { PythonParser } from '../python/parse.js';
import { statementsOf, type Statement } from '../python/statements.js';
import { parseSource, textOf, type PyNode, type SourceFile } from '../python/syntax.js';

interface Definition {
  /** `Cart.add` */
  readonly name: string;
  readonly kind: 'class' | 'function' | 'name';
  readonly file: string;
  /** 1-based. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** Names read within, with the first line of each. */
  readonly uses: ReadonlyMap<string, number>;
}

export interface CodeGraph {
  /** The neighbourhood of a name; null where nothing is defined under it. */
  readonly around: (name: string) => string | null;
  /** Every name that has a neighbourhood: last parts of qualified names. */
  readonly names: readonly string[];
}

const mostShown = 40;
const mostLines = 80;

/** Names that code within a node reads, by the line of their first use; names that it binds as parameters are among them. */
function usesOf(file: SourceFile, node: PyNode): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const visit = (at: PyNode): void => {
    if (at.type === 'identifier') {
      const name = textOf(file, at);
      if (!uses.has(name)) uses.set(name, at.row + 1);
      return;
    }
    for (const child of at.children) {
      // The name of a definition and of a keyword argument is no use of it.
      const isName =
        child.field === 'name' &&
        ['function_definition', 'class_definition', 'keyword_argument'].includes(at.type);
      if (!isName) visit(child);
    }
  };
  visit(node);
  return uses;
}

function definitionsOf(file: SourceFile): readonly Definition[] {
  const out: Definition[] = [];
  const add = (statement: Statement, name: string, kind: Definition['kind']): void => {
    const lines = file.lines.slice(statement.firstRow, statement.lastRow + 1);
    const rest = lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [];
    out.push({
      ...{ name, kind, file: file.path, first: statement.firstRow + 1, last: statement.lastRow + 1 },
      text: [...lines.slice(0, mostLines), ...rest].join('\n'),
      uses: usesOf(file, statement.node),
    });
  };
  const visit = (statements: readonly Statement[], owner: string, isFunction: boolean): void => {
    for (const statement of statements) {
      if (statement.kind === 'function' || statement.kind === 'class') {
        const name = owner === '' ? statement.name : `${owner}.${statement.name}`;
        add(statement, name, statement.kind);
        for (const suite of statement.suites) visit(suite.statements, name, statement.kind === 'function');
      } else if (statement.suites.length > 0) {
        for (const suite of statement.suites) visit(suite.statements, owner, isFunction);
      } else if (!isFunction && (statement.kind === 'assign' || statement.kind === 'annotation')) {
        for (const name of boundNames(file, statement))
          add(statement, owner === '' ? name : `${owner}.${name}`, 'name');
      }
    }
  };
  visit(statementsOf(file, file.root.children, true), '', false);
  return out;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Reads every file once; the graph answers any number of questions. */
export function createCodeGraph(
  parser: PythonParser,
  files: readonly { readonly file: string; readonly text: string }[],
): CodeGraph {
  const definitions = files.flatMap(({ file, text }) => definitionsOf(parseSource(parser, file, text)));
  const byName = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const name = lastPart(definition.name);
    byName.set(name, [...(byName.get(name) ?? []), definition]);
  }
  const users = new Map<string, Definition[]>();
  for (const definition of definitions) {
    for (const name of definition.uses.keys()) {
      if (!byName.has(name)) continue;
      const known = users.get(name);
      if (known === undefined) users.set(name, [definition]);
      else known.push(definition);
    }
  }
  return {
    names: [...byName.keys()].toSorted(),
    around(asked) {
      const wanted = asked.trim().replace(/\(\)$/, '');
      const same = byName.get(lastPart(wanted)) ?? [];
      const exact = same.filter(({ name }) => name === wanted || name.endsWith(`.${wanted}`));
      const found = exact.length > 0 ? exact : same;
      if (found.length === 0) return null;
      return found
        .slice(0, 5)
        .map((definition) => describe(definition, byName, users))
        .concat(found.length > 5 ? [`… and ${found.length - 5} more definitions of that name`] : [])
        .join('\n\n');
    },
  };
}

function describe(
  definition: Definition,
  byName: ReadonlyMap<string, readonly Definition[]>,
  users: ReadonlyMap<string, readonly Definition[]>,
): string {
  const { name, kind, file, first, last, text, uses } = definition;
  const own = lastPart(name);
  const within = (other: Definition) => other.file === file && other.first >= first && other.last <= last;
  const refersTo = [...uses.keys()].flatMap((used) =>
    (byName.get(used) ?? []).filter((other) => !within(other)).map(placeOf),
  );
  const usedBy = (users.get(own) ?? [])
    .filter((user) => !within(user))
    // A method says it more closely than its class.
    .filter((user, _index, all) => !all.some((other) => other !== user && encloses(user, other)))
    .map((user) => `${user.name} (${user.file}:${user.uses.get(own) ?? user.first})`);
  return [
    `${kind} ${name} in ${file}, lines ${first} to ${last}:`,
    text,
    `refers to: ${listOf(refersTo)}`,
    `is referred to by: ${listOf(usedBy)}`,
  ].join('\n');
}

function encloses(outer: Definition, inner: Definition): boolean {
  return outer.file === inner.file && outer.first <= inner.first && outer.last >= inner.last;
}

function placeOf({ name, file, first }: Definition): string {
  return `${name} (${file}:${first})`;
}

function listOf(places: readonly string[]): string {
  const unique = [...new Set(places)];
  if (unique.length === 0) return 'nothing of the codebase';
  const rest = unique.length > mostShown ? `, … and ${unique.length - mostShown} more` : '';
  return unique.slice(0, mostShown).join(', ') + rest;
}
