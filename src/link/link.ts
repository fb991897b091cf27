// A Program flows in, a gist flows out: include, lay out, emit. Pure; every choice is an option, so that the engine
// can ask again for another layout or with more restored.
import type { Gist, HeldModule } from '../model/gist.js';
import { dataInUse, dataLines, type DataLayout } from './dataFiles.js';
import { emit } from './emit.js';
import { include } from './include.js';
import type { Included, IncludeOptions } from './included.js';
import { chooseLayout, type LayoutOptions } from './layout.js';
import { pythonString, pythonValue } from './pythonString.js';
import type { Program } from './program.js';

export interface LinkOptions extends IncludeOptions, Omit<LayoutOptions, 'ownPlugin'> {
  readonly preamble: readonly { readonly text: string; readonly why: string }[];
  readonly data: DataLayout | null;
  /** The gist's namespace bears the test module's own name: output or errors of the test show it. */
  readonly bearName: boolean;
  /** pytest settings that the gist makes its own, by option name. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Linked {
  readonly gist: Gist;
  readonly held: readonly HeldModule[];
  readonly flat: readonly string[];
}

/** A hook that puts the project's settings in place; null where there are none or the project has that hook itself. */
function settingsLine(included: Included, settings: Readonly<Record<string, unknown>>): string | null {
  const entries = Object.entries(settings).map(
    ([name, value]) => `${pythonString(name)}: ${pythonValue(value)}`,
  );
  if (entries.length === 0) return null;
  for (const [module, live] of included.statements) {
    for (const index of live.keys())
      if (module.isConftest && module.statements()[index]?.name === 'pytest_configure') return null;
  }
  return `def pytest_configure(config): config._inicache.update({${entries.join(', ')}})`;
}

/** Marks of the project's own that live code names: `getini('markers')` lines are `name(arguments): what it is for`. */
function marksUsed(program: Program, included: Included): readonly string[] {
  const lines = program.trace.ini['markers'];
  if (!Array.isArray(lines) || !included.members.has('mark')) return [];
  const names = lines.map((line) => String(line).split(/[:(]/)[0]?.trim() ?? '');
  return [...new Set(names)].filter((name) => included.members.has(name)).toSorted();
}

/** `file:line` of all rows that live statements keep. */
function liveRows(included: Included): ReadonlySet<string> {
  const rows = new Set<string>();
  for (const [module, live] of included.statements)
    for (const collector of live.values())
      for (const piece of collector.pieces) {
        if (piece.type !== 'rows') continue;
        for (let row = piece.first; row <= piece.last; row += 1) rows.add(`${module.path}:${row + 1}`);
      }
  return rows;
}

/** Links one gist from a program. The same options give the same bytes. */
export function link(program: Program, options: LinkOptions): Linked {
  const included = include(program, options);
  const settings = settingsLine(included, options.settings);
  const layout = chooseLayout(program, included, {
    ...options,
    ownPlugin: included.hooksUsed || settings !== null,
  });
  const data = options.data === null ? null : dataInUse(options.data, liveRows(included));
  const preamble = [...options.preamble];
  const conftests = [...layout.held.keys()].filter((name) => program.modules.get(name)?.isConftest === true);
  const own =
    (included.hooksUsed && [...layout.flat].some((module) => module.isConftest)) || settings !== null;
  if (conftests.length > 0 || own) {
    const plugins = [...conftests.map(pythonString), ...(own ? ['__name__'] : [])];
    preamble.push({
      text: `pytest_plugins = [${plugins.join(', ')}]`,
      why: 'makes pytest see the hooks and fixtures that conftest files gave it',
    });
  }
  const marks = marksUsed(program, included);
  if (marks.length > 0) {
    const why = 'declares marks of the project, which pytest would warn of';
    preamble.push({ text: 'import pytest', why });
    preamble.push({ text: `pytest.mark._markers.update([${marks.map(pythonString).join(', ')}])`, why });
  }
  if (settings !== null) preamble.push({ text: settings, why: "the project's own pytest settings" });
  return {
    gist: emit(program, included, layout, {
      preamble,
      data: data === null ? null : dataLines(data, program.test.path, program.trace.importPaths),
      moduleName: options.bearName && !program.isCommand ? program.test.name : null,
    }),
    held: [...layout.held].map(([module, reason]) => ({ module, reason })),
    flat: [...layout.flat].map((module) => module.name),
  };
}
