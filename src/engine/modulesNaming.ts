// Words that a candidate's failure quotes flow in, the modules whose import registers such values flow out.
import type { Program } from '../link/program.js';

/**
 * Modules with a top-level statement that ran and has one of the words as a string or a keyword, other than a definition
 * or an import.
 */
export function modulesNaming(program: Program, words: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (words.length === 0) return found;
  const any = words.map((word) => word.replace(/\W/g, '\\$&')).join('|');
  const pattern = new RegExp(`(['"])(${any})\\1|(?<![\\w.])(${any})\\s*=`);
  for (const module of program.modules.values()) {
    const file = module.file();
    if (module.isTest || !pattern.test(file.text)) continue;
    for (const { kind, node, position } of module.statements()) {
      if (['function', 'class', 'import', 'future'].includes(kind) || module.ran(position) === 0) continue;
      if (pattern.test(file.text.slice(node.start, node.end))) found.add(module.name);
    }
  }
  return found;
}
