// The few lines that a gist with held modules starts with: an import finder (PEP 451) that serves each module from
// the body of its `if held(...)` block, with the gist's own file name and line numbers.
import { packagesOf } from './packagesOf.js';
import { pythonString } from './pythonString.js';

export interface LoaderInput {
  /** Names of the held modules. */
  readonly held: readonly string[];
  /** Packages among them, and packages that hold no code but must be found. */
  readonly packages: readonly string[];
  /** Packages with compiled modules below them: other finders tell where these are. */
  readonly aroundCompiled: readonly string[];
  /** Python expression of the folder that the modules' files seem to stand in; null where nobody asks. */
  readonly places: string | null;
  /** Folder below it that dotted names start from. */
  readonly root: string;
}

/**
 * The loader's lines. Whatever they use later is bound as they run: the codebase's own names stand in the same
 * namespace and may be called `blocks` or `any` as well.
 */
export function loaderLines({
  held,
  packages,
  aroundCompiled,
  places,
  root,
}: LoaderInput): readonly string[] {
  const all = [...new Set([...packages, ...[...packages, ...held].flatMap(packagesOf)])].toSorted();
  const known = `(${all.map((name) => `${pythonString(name)}, `).join('')})`;
  const isPackage = `name in ${known}`;
  const place = `join(root, ${root === '' ? '' : `${pythonString(root)}, `}*name.split('.'))`;
  const [file, own] =
    places === null
      ? ['file', '[]']
      : [`join(${place}, '__init__.py') if ${isPackage} else ${place} + '.py'`, `[${place}]`];
  const around = `(${aroundCompiled.map((name) => `${pythonString(name)}, `).join('')})`;
  const elsewhere =
    "[folder for finder in modules.meta_path if getattr(finder, 'blocks', None) is not blocks for found in [finder.find_spec(name, path)] if found for folder in found.submodule_search_locations or []]";
  const search = aroundCompiled.length === 0 ? own : `(${elsewhere} if name in ${around} else []) + ${own}`;
  const reading =
    places === null
      ? ''
      : ", get_source=lambda name, file=__file__, open=open: open(file, encoding='utf-8').read(), get_data=lambda path, open=open: open(path, 'rb').read(), get_resource_reader=lambda name, readers=importlib.readers, machinery=importlib.machinery, modules=sys.modules: readers.FileReader(machinery.SourceFileLoader(name, modules[name].__file__))";
  return [
    `import ast, ${places === null ? '' : 'importlib.readers, '}importlib.util, ${places === null ? '' : 'os, '}sys, types`,
    "blocks = {node.test.args[0].value: compile(ast.Module(node.body, []), __file__, 'exec', 0x1000000 * len(node.test.args[1:]), True) for node in ast.parse(open(__file__, encoding='utf-8').read()).body if isinstance(node, ast.If) and getattr(getattr(node.test, 'func', None), 'id', '') == 'held'}",
    `loader = types.SimpleNamespace(create_module=lambda spec: None, exec_module=lambda module, blocks=blocks, exec=exec: exec(blocks.get(module.__name__, ''), module.__dict__)${reading})`,
    `sys.meta_path.insert(0, types.SimpleNamespace(${aroundCompiled.length === 0 ? '' : 'blocks=blocks, '}find_spec=lambda name, path=None, target=None, blocks=blocks, loader=loader, ${aroundCompiled.length === 0 ? '' : 'modules=sys, '}spec=importlib.util.spec_from_file_location, ${places === null ? 'file=__file__' : `root=${places}, join=os.path.join`}: spec(name, ${file}, loader=loader, submodule_search_locations=${search} if ${isPackage} else None) if ${isPackage} or name in blocks else None))`,
    'held = lambda name, annotations=0: False',
  ];
}
