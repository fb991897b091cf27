// The few lines that a gist with held modules starts with: an import finder (PEP 451) that serves each module from
// the body of its `if held(...)` block, with the gist's own file name and line numbers.
import { pythonString } from './pythonString.js';

export interface LoaderInput {
  /** Packages among the held modules. */
  readonly packages: readonly string[];
  /** Python expression of the folder that the modules' files seem to stand in; null where nobody asks. */
  readonly places: string | null;
  /** Folder below it that dotted names start from. */
  readonly root: string;
}

/** The loader's lines. */
export function loaderLines({ packages, places, root }: LoaderInput): readonly string[] {
  const known = `(${packages.map((name) => `${pythonString(name)}, `).join('')})`;
  const place = `os.path.join(${places ?? ''}, ${pythonString(root)}, *name.split('.'))`;
  const spec =
    places === null
      ? 'importlib.util.spec_from_file_location(name, self.file, loader=self, submodule_search_locations=[] if package else None)'
      : `importlib.util.spec_from_file_location(name, os.path.join(${place}, '__init__.py') if package else ${place} + '.py', loader=self, submodule_search_locations=[${place}] if package else None)`;
  return [
    `import ast, ${places === null ? '' : 'importlib.readers, '}importlib.util, ${places === null ? '' : 'os, '}sys`,
    'class Held:',
    "    file, blocks = __file__, {node.test.args[0].value: (node.body, 0x1000000 * len(node.test.args[1:])) for node in ast.parse(open(__file__, encoding='utf-8').read()).body if isinstance(node, ast.If) and getattr(getattr(node.test, 'func', None), 'id', '') == 'held'}",
    '    def find_spec(self, name, path=None, target=None):',
    `        package = name in ${known} or any(block.startswith(name + '.') for block in self.blocks)`,
    `        return ${spec} if package or name in self.blocks else None`,
    '    create_module = lambda self, spec: None',
    "    exec_module = lambda self, module: exec(compile(ast.Module(self.blocks.get(module.__name__, ([], 0))[0], []), self.file, 'exec', self.blocks.get(module.__name__, ([], 0))[1], True), vars(module))",
    ...(places === null
      ? []
      : [
          "    get_source = lambda self, name: open(self.file, encoding='utf-8').read()",
          "    get_data = lambda self, path: open(path, 'rb').read()",
          '    get_resource_reader = lambda self, name: importlib.readers.FileReader(importlib.machinery.SourceFileLoader(name, sys.modules[name].__file__))',
        ]),
    'held = lambda name, annotations=0: False',
    'sys.meta_path.insert(0, Held())',
  ];
}
