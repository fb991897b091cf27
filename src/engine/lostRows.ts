// Rows that a gist holds but did not run flow in; those that betray another path through the code flow out.
import type { Program } from '../link/program.js';
import type { Statement } from '../python/statements.js';

/**
 * A function that no longer runs at all was called from something that is gone. A function that runs in part, and
 * whose idle part ran in the original's test, takes another path: passing is then too weak a check.
 */
export function findLostRows(
  program: Program,
  idle: ReadonlySet<string>,
  executed: ReadonlySet<string>,
): readonly string[] {
  const lost: string[] = [];
  for (const module of program.modules.values()) {
    if (![...idle].some((row) => row.startsWith(`${module.path}:`))) continue;
    const visit = (statement: Statement): void => {
      if (statement.kind === 'function') {
        const rows = bodyRows(statement);
        const runs = rows.some(({ firstRow }) => executed.has(`${module.path}:${firstRow}`));
        if (runs) {
          for (const row of rows) {
            const key = `${module.path}:${row.firstRow}`;
            if (idle.has(key) && (module.ran(row.position) & 2) !== 0) lost.push(key);
          }
        }
      }
      for (const suite of statement.suites) suite.statements.forEach(visit);
    };
    module.statements().forEach(visit);
  }
  return lost;
}

/** Statements of a function's own body, nested definitions left out. */
function bodyRows(definition: Statement): readonly Statement[] {
  const out: Statement[] = [];
  const visit = (statement: Statement): void => {
    out.push(statement);
    if (statement.kind !== 'function' && statement.kind !== 'class')
      for (const suite of statement.suites) suite.statements.forEach(visit);
  };
  for (const suite of definition.suites) suite.statements.forEach(visit);
  return out;
}
