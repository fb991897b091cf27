// The few lines that a gist with held modules starts with: an import finder (PEP 451) that serves each module from
// the body of its `if held(...)` block, with the gist's own file name and line numbers.
import { pythonString } from './pythonString.js';

export interface LoaderInput {
  /** Packages among the held modules. */
  readonly packages: readonly string[];
  /** Repo-relative folder that the held modules' names start from, where data files travel with the gist. */
  readonly dataRoot: string | null;
}

const find = [
  'import ast, importlib.util, sys',
  'class Held:',
  '    file, packages = __file__, PACKAGES',
  "    blocks = {node.test.args[0].value: (node.body, len(node.test.args) > 1 and 0x1000000) for node in ast.parse(open(__file__, encoding='utf-8').read()).body if isinstance(node, ast.If) and getattr(getattr(node.test, 'func', None), 'id', '') == 'held'}",
  '    def find_spec(self, name, path=None, target=None):',
  "        package = name in self.packages or any(block.startswith(name + '.') for block in self.blocks)",
];

const plainSpec = '        return importlib.util.spec_from_file_location(name, self.file, loader=self, submodule_search_locations=[] if package else None) if package or name in self.blocks else None';

const dataSpec = [
  "        place = os.path.join(data, ROOT, *name.split('.'))",
  "        return importlib.util.spec_from_file_location(name, os.path.join(place, '__init__.py') if package else place + '.py', loader=self, submodule_search_locations=[place] if package else None) if package or name in self.blocks else None",
  "    def get_data(self, path): return open(path, 'rb').read()",
  '    def get_resource_reader(self, name): return importlib.readers.FileReader(importlib.machinery.SourceFileLoader(name, sys.modules[name].__file__))',
];

const execute = [
  '    def create_module(self, spec): return None',
  '    def exec_module(self, module):',
  '        body, flags = self.blocks.get(module.__name__, ([], 0))',
  "        exec(compile(ast.Module(body, []), self.file, 'exec', flags, True), vars(module))",
  'def held(name, annotations=0): return False',
  'sys.meta_path.insert(0, Held())',
];

/** The loader's lines. */
export function loaderLines({ packages, dataRoot }: LoaderInput): readonly string[] {
  const head = find.map((line) => line.replace('PACKAGES', `{${packages.map(pythonString).join(', ')}}`.replace('{}', '()')));
  if (dataRoot === null) return [...head, plainSpec, ...execute];
  const [first = '', ...rest] = head;
  return [first.replace('importlib.util', 'importlib.readers, importlib.util'), ...rest, ...dataSpec.map((line) => line.replace('ROOT', pythonString(dataRoot))), ...execute];
}
