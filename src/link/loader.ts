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

/** The loader's lines. What a method needs it holds as a default: the codebase may bind any name later. */
export function loaderLines({ packages, places, root }: LoaderInput): readonly string[] {
  const known = packages.map((name) => `${pythonString(name)}, `).join('');
  const place = `os.path.join(${places ?? ''}, ${pythonString(root)}, *name.split('.'))`;
  const spec =
    places === null
      ? 'make(name, self.file, loader=self, submodule_search_locations=[] if name in self.packages else None)'
      : `make(name, os.path.join(${place}, '__init__.py') if name in self.packages else ${place} + '.py', loader=self, submodule_search_locations=[${place}] if name in self.packages else None)`;
  return [
    `import ast, ${places === null ? '' : 'importlib.readers, '}importlib.util, ${places === null ? '' : 'os, '}sys`,
    'class Held:',
    "    file, blocks = __file__, {node.test.args[0].value: (node.body, 0x1000000 * len(node.test.args[1:])) for node in ast.parse(open(__file__, encoding='utf-8').read()).body if isinstance(node, ast.If) and getattr(getattr(node.test, 'func', None), 'id', '') == 'held'}",
    `    packages = {${known}*(name[:end] for name in blocks for end in range(len(name)) if name[end] == '.')}`,
    `    def find_spec(self, name, path=None, target=None, ${places === null ? '' : 'os=os, '}make=importlib.util.spec_from_file_location):`,
    `        return ${spec} if name in self.packages or name in self.blocks else None`,
    '    create_module = lambda self, spec: None',
    "    exec_module = lambda self, module, exec=exec, compile=compile, vars=vars, tree=ast.Module: exec(compile(tree(self.blocks.get(module.__name__, ([], 0))[0], []), self.file, 'exec', self.blocks.get(module.__name__, ([], 0))[1], True), vars(module))",
    ...(places === null
      ? []
      : [
          "    get_source = lambda self, name, open=open: open(self.file, encoding='utf-8').read()",
          "    get_data = lambda self, path, open=open: open(path, 'rb').read()",
          '    get_resource_reader = lambda self, name, importlib=importlib, sys=sys: importlib.readers.FileReader(importlib.machinery.SourceFileLoader(name, sys.modules[name].__file__))',
        ]),
    'held = lambda name, annotations=0: False',
    'sys.meta_path.insert(0, Held())',
  ];
}
