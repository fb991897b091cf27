// The few lines that a gist with held modules starts with: an import finder (PEP 451) that serves each module from
// the body of its `if held(...)` block, with the gist's own file name and line numbers.

export const loaderLines: readonly string[] = [
  'import ast, importlib.util, sys',
  'class Held:',
  '    def find_spec(self, name, path=None, target=None):',
  "        package = any(block.startswith(name + '.') for block in blocks)",
  '        return importlib.util.spec_from_file_location(name, __file__, loader=self, submodule_search_locations=[] if package or name in packages else None) if package or name in blocks else None',
  '    def create_module(self, spec): return None',
  '    def exec_module(self, module):',
  '        body, flags = blocks.get(module.__name__, ([], 0))',
  "        exec(compile(ast.Module(body, []), __file__, 'exec', flags, True), vars(module))",
  'def held(name, annotations=0): return False',
  "blocks = {node.test.args[0].value: (node.body, len(node.test.args) > 1 and 0x1000000) for node in ast.parse(open(__file__, encoding='utf-8').read()).body if isinstance(node, ast.If) and getattr(getattr(node.test, 'func', None), 'id', '') == 'held'}",
];

/** The loader's last lines, with the packages that have no held submodule. */
export function loaderTail(packages: readonly string[]): readonly string[] {
  return [`packages = ${JSON.stringify(packages).replaceAll('"', "'")}`, 'sys.meta_path.insert(0, Held())'];
}
