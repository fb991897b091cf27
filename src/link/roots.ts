// Which definitions a gist must hold because pytest or the test itself ran them, whoever refers to them.
import { walkStatements, type Statement } from '../python/statements.js';
import { isEffect } from './effects.js';
import type { Module, Program } from './program.js';
import { wasCalled } from './trim.js';

/** Names that pytest looks for in the test's own module. */
export const xunit = new Set([
  'setup_module',
  'teardown_module',
  'setup_function',
  'teardown_function',
  'setUpModule',
  'tearDownModule',
  'pytestmark',
  'pytest_plugins',
  '__test__',
  'pytest_generate_tests',
  'collect_ignore',
]);
const lateHooks = new Set([
  'pytest_addoption',
  'pytest_addhooks',
  'pytest_report_header',
  'pytest_collection_modifyitems',
  'pytest_terminal_summary',
  'pytest_sessionfinish',
  'pytest_ignore_collect',
  'pytest_collect_file',
  'pytest_unconfigure',
  'pytest_cmdline_main',
  'pytest_load_initial_conftests',
  'pytest_itemcollected',
  'pytest_collection_finish',
  'pytest_runtest_logreport',
]);

export type Root = 'none' | 'root' | 'hook';

/** Whether a top-level definition is a root, and whether pytest must be told of it (a hook). */
export function rootKind(
  program: Program,
  module: Module,
  statement: Statement,
  hooks: 'runtime' | 'all',
): Root {
  // What the main module of a command does is what the command is.
  if (program.isCommand && module.isTest && isEffect(module, statement)) return 'root';
  if (statement.kind !== 'function' && statement.kind !== 'class') return 'none';
  // What a command's main module needs is found by the names that it reads.
  const tested = !program.isCommand && ranInside(module, statement, 2);
  if (statement.kind === 'class') {
    if (module.isTest && /^test/i.test(statement.name) && statement.name !== program.testPath[0])
      return 'none';
    return tested ? 'root' : 'none';
  }
  const hook =
    statement.name.startsWith('pytest_') && wasCalled({ ran: (p) => module.ran(p) !== 0 }, statement);
  if (hook && (hooks === 'all' || !lateHooks.has(statement.name))) {
    // pytest finds this one in the test's own module; a plugin's would be called besides.
    return statement.name === 'pytest_generate_tests' ? 'root' : 'hook';
  }
  return tested ? 'root' : 'none';
}

/** Whether any code inside of a definition ran then: `when` are bits as of `Module.ran`. */
export function ranInside(module: Module, statement: Statement, when: number): boolean {
  let found = false;
  for (const suite of statement.suites) {
    walkStatements(suite.statements, (inner) => {
      if ((module.ran(inner.position) & when) !== 0) found = true;
    });
  }
  return found;
}

/** Whether a top-level statement is a function that nobody called. */
export function neverCalled(module: Module, index: number): boolean {
  const statement = module.statements()[index];
  return statement?.kind === 'function' && !wasCalled({ ran: (p) => module.ran(p) !== 0 }, statement);
}

/** Whether code that reads these attributes asks pytest for command line options or settings. */
export function asksForOptions(members: ReadonlySet<string>): boolean {
  return ['getoption', 'getini', 'getvalue'].some((name) => members.has(name));
}

/** The hooks that declared options: who asks for one needs them. */
export function optionHooks(
  program: Program,
): readonly { readonly module: Module; readonly index: number }[] {
  return [...program.modules.values()].flatMap((module) =>
    (module.binders().get('pytest_addoption') ?? []).flatMap((index) => {
      const statement = module.statements()[index];
      const isHook = statement !== undefined && rootKind(program, module, statement, 'all') === 'hook';
      return isHook ? [{ module, index }] : [];
    }),
  );
}
