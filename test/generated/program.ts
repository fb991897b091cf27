// A program under construction: modules with names that collide, imports in every form that Python has, a test that
// prints what it sees. Features add to it; nothing here knows any of them.
import type { Random } from './random.js';

export interface Module {
  /** Dotted name. */
  readonly name: string;
  readonly path: string;
  /** Dotted name of the package it stands in, '' at the top. */
  readonly package: string;
  /** A module may import those of a lower rank at its top. */
  readonly rank: number;
  readonly isPackage: boolean;
  future: boolean;
  readonly head: string[];
  readonly body: string[];
  /** Imports that would make a circle at the top. */
  readonly foot: string[];
  readonly names: Set<string>;
}

/** Something that other modules can use: `call(expression)` is Python for what it gives. */
export interface Export {
  readonly module: Module;
  readonly name: string;
  readonly kind: 'function' | 'class' | 'constant';
  /** Can be used while modules load: nothing that it needs is of a module that comes later. */
  readonly early: boolean;
}

export interface Program {
  readonly random: Random;
  /** Modules import each other in circles at the top level, and not by dotted names: those are not there in time. */
  readonly circles: boolean;
  /** Modules of the package by rank, `__init__` files last. */
  readonly modules: readonly Module[];
  readonly root: Module;
  readonly test: Module;
  readonly conftest: Module;
  readonly exports: Export[];
  /** Files that are no modules, by path. */
  readonly files: Map<string, string>;
  /** Lines of the test's body. */
  readonly steps: string[];
  readonly decorators: string[];
  /** Parameters of the test: fixtures and parametrized names. */
  readonly parameters: string[];
  readonly settings: string[];
  readonly fresh: (module: Module, pool: readonly string[]) => string;
  readonly add: (module: Module, code: string) => void;
  /** Imports a name of another module at the top; gives the expression for it. */
  readonly use: (module: Module, from: Module, name: string) => string;
  /** As `use`, in lines that stand in a function. */
  readonly useInside: (module: Module, from: Module, name: string) => { lines: string[]; name: string };
  /** Imports a module, however it likes; gives the expression for it. */
  readonly useModule: (module: Module, from: Module) => string;
  /** Two modules, the second of which may import the first. */
  readonly pair: () => readonly [Module, Module];
  readonly pickModule: () => Module;
  readonly step: (code: string) => void;
  readonly show: (expression: string) => void;
}

const moduleNames = [
  'core',
  'base',
  'helpers',
  'config',
  'items',
  'value',
  'models',
  'data',
  'load',
  '_private',
  'registry',
  'make',
  'tools',
  'shapes',
];
const packageNames = ['sub', 'plugins', 'parts'];

export const names = {
  functions: [
    'make',
    'load',
    'build',
    'run',
    'value',
    'helper',
    'convert',
    'get',
    'compute',
    'check',
    'step',
  ],
  classes: ['Item', 'Base', 'Node', 'Config', 'Handler', 'Value', 'Mixin', 'Store', 'Point'],
  constants: ['LIMIT', 'DEFAULT', 'table', 'config', 'items', 'SIZE', 'data', 'registry', 'NAMES', '_state'],
} as const;

/** Takes the common indentation off, as Python's `textwrap.dedent` does. */
function dedent(code: string): string[] {
  const lines = code.split('\n');
  while (lines[0]?.trim() === '') lines.shift();
  while (lines.at(-1)?.trim() === '') lines.pop();
  const depth = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  return lines.map((line) => line.slice(depth));
}

function createModule(name: string, isPackage: boolean, rank: number, folder: string): Module {
  const parts = name.split('.');
  const path = `${folder}${parts.join('/')}${isPackage ? '/__init__' : ''}.py`;
  const parent = isPackage ? name : parts.slice(0, -1).join('.');
  return {
    name,
    path,
    package: parent,
    rank,
    isPackage,
    future: false,
    head: [],
    body: [],
    foot: [],
    names: new Set(),
  };
}

/** The relative form of an import, null where the two do not share a package. */
function relative(from: Module, target: string): { dots: string; rest: string } | null {
  if (from.package === '') return null;
  const own = from.package.split('.');
  const other = target.split('.');
  let shared = 0;
  while (shared < own.length && shared < other.length && own[shared] === other[shared]) shared += 1;
  if (shared === 0) return null;
  return { dots: '.'.repeat(own.length - shared + 1), rest: other.slice(shared).join('.') };
}

/** An empty program: its modules, its test, and the ways to fill them. */
export function createProgram(random: Random, size: number): Program {
  const top = random.pick(['pk', 'app', 'lib_a']);
  const place = random.pick(['root', 'tests', 'tests', 'package', 'inside', 'src'] as const);
  const folder = place === 'src' ? 'src/' : '';
  const packages = random.shuffle(packageNames).slice(0, random.int(3));
  const dotted = random
    .shuffle(moduleNames)
    .slice(0, size)
    .map((name) =>
      [top, ...(packages.length > 0 && random.chance(0.5) ? [random.pick(packages)] : []), name].join('.'),
    );
  // The same name in two packages, as modules of big codebases have.
  const [twin = ''] = dotted;
  const twinName = [
    top,
    ...(packages[0] === undefined ? [] : [packages[0]]),
    twin.split('.').at(-1) ?? '',
  ].join('.');
  if (!dotted.includes(twinName)) dotted.push(twinName);
  const plain = dotted.map((name, rank) => createModule(name, false, rank, folder));
  const inits = [...packages.map((name) => `${top}.${name}`), top].map((name, index) =>
    createModule(name, true, plain.length + index, folder),
  );
  const root = inits.at(-1);
  if (root === undefined) throw new Error('a program has a package');
  const modules = [...plain, ...inits];
  const testName = {
    root: 'test_main',
    tests: 'test_main',
    src: 'test_main',
    package: 'tests.test_main',
    inside: `${top}.tests.test_main`,
  }[place];
  const test = createModule(
    testName,
    false,
    modules.length + 1,
    place === 'tests' || place === 'src' ? 'tests/' : '',
  );
  const conftestName =
    place === 'inside' ? `${top}.tests.conftest` : place === 'package' ? 'tests.conftest' : 'conftest';
  const conftest = createModule(
    conftestName,
    false,
    modules.length,
    place === 'tests' || place === 'src' ? 'tests/' : '',
  );
  const circles = random.chance(0.5);
  const files = new Map<string, string>();
  const settings: string[] = [];
  if (place === 'package') files.set('tests/__init__.py', '');
  if (place === 'inside') files.set(`${top}/tests/__init__.py`, '');
  if (place === 'src') settings.push('pythonpath = src');
  const steps: string[] = [];

  const bind = (module: Module, wanted: string): string => {
    let name = wanted;
    for (let count = 2; module.names.has(name); count += 1) name = `${wanted}_${count}`;
    module.names.add(name);
    return name;
  };
  const line = (module: Module, from: Module, text: string): void => {
    const list = from.rank < module.rank ? module.head : module.foot;
    if (!list.includes(text)) list.push(text);
  };
  const leaf = (name: string): string => name.split('.').at(-1) ?? name;
  const parentOf = (from: Module): string => from.name.split('.').slice(0, -1).join('.');

  /** A module object by one of the ways to have one. Names already taken in the module choose the way. */
  const useModule = (module: Module, from: Module): string => {
    const near = relative(module, from.name);
    const ways: (() => string)[] = [
      () => {
        line(module, from, `import ${from.name}`);
        module.names.add(from.name.split('.')[0] ?? '');
        return from.name;
      },
      () => {
        const name = bind(module, random.pick(['m', `mod_${leaf(from.name)}`, 'mod']));
        line(module, from, `import ${from.name} as ${name}`);
        return name;
      },
    ];
    if (parentOf(from) !== '' && !module.names.has(leaf(from.name)))
      ways.push(() => {
        module.names.add(leaf(from.name));
        line(module, from, `from ${parentOf(from)} import ${leaf(from.name)}`);
        return leaf(from.name);
      });
    if (near !== null && near.rest !== '') {
      const parts = near.rest.split('.');
      const parent = parts.slice(0, -1).join('.');
      ways.push(() => {
        const name = bind(module, `${parts.at(-1) ?? ''}_`);
        line(module, from, `from ${near.dots}${parent} import ${parts.at(-1) ?? ''} as ${name}`);
        return name;
      });
    }
    const dotted = !circles || module.rank >= plain.length;
    return random.pick(dotted ? ways : ways.slice(1))();
  };

  const use = (module: Module, from: Module, name: string): string => {
    if (module === from) return name;
    if (from.rank > module.rank || random.chance(0.3)) {
      if (from.isPackage && from.rank > module.rank) {
        // What an `__init__` re-exports is there once all is loaded.
        line(module, from, `import ${from.name}`);
        return `${from.name}.${name}`;
      }
      return `${useModule(module, from)}.${name}`;
    }
    const near = relative(module, from.name);
    const source = near !== null && random.chance(0.6) ? `${near.dots}${near.rest}` : from.name;
    if (!module.names.has(name) && random.chance(0.7)) {
      module.names.add(name);
      line(module, from, `from ${source} import ${name}`);
      return name;
    }
    const alias = bind(module, random.pick([`own_${name}`, `${name}_of`, 'other']));
    line(module, from, `from ${source} import ${name} as ${alias}`);
    return alias;
  };

  const useInside = (module: Module, from: Module, name: string): { lines: string[]; name: string } => {
    if (module === from) return { lines: [], name };
    const near = relative(module, from.name);
    const ways: (() => { lines: string[]; name: string })[] = [
      () => ({ lines: [`from ${from.name} import ${name}`], name }),
      () => ({ lines: [`from ${from.name} import ${name} as inner`], name: 'inner' }),
      () => ({ lines: [`import ${from.name}`], name: `${from.name}.${name}` }),
      () => ({ lines: [`import ${from.name} as inner`], name: `inner.${name}` }),
      () => ({
        lines: ['import importlib', `inner = importlib.import_module('${from.name}')`],
        name: `inner.${name}`,
      }),
    ];
    if (near !== null) ways.push(() => ({ lines: [`from ${near.dots}${near.rest} import ${name}`], name }));
    return random.pick(ways)();
  };

  return {
    random,
    circles,
    modules,
    root,
    test,
    conftest,
    exports: [],
    files,
    steps,
    decorators: [],
    parameters: [],
    settings,
    fresh: (module, pool) => {
      const free = pool.filter((name) => !module.names.has(name));
      return free.length > 0 && random.chance(0.9)
        ? (() => {
            const name = random.pick(free);
            module.names.add(name);
            return name;
          })()
        : bind(module, random.pick(pool));
    },
    add: (module, code) => module.body.push(...dedent(code), ''),
    use,
    useInside,
    useModule,
    pair: () => {
      const [a, b] = random.shuffle(plain);
      if (a === undefined || b === undefined) throw new Error('a program has modules');
      return a.rank < b.rank ? [a, b] : [b, a];
    },
    pickModule: () => random.pick(plain),
    step: (code) => steps.push(...dedent(code)),
    show: (expression) => steps.push(`print(${expression})`),
  };
}

function textOf(module: Module, extra: readonly string[] = []): string {
  const lines = [
    ...(module.future ? ['from __future__ import annotations'] : []),
    ...module.head,
    '',
    ...module.body,
    ...extra,
    ...module.foot,
  ];
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The files of a program and the node id of its test. */
export function filesOf(program: Program): { files: ReadonlyMap<string, string>; node: string } {
  const { test, conftest, random } = program;
  const files = new Map(program.files);
  for (const module of program.modules) files.set(module.path, textOf(module));
  if (conftest.body.length > 0) files.set(conftest.path, textOf(conftest));
  if (program.settings.length > 0) files.set('pytest.ini', ['[pytest]', ...program.settings, ''].join('\n'));
  const inClass = random.chance(0.25);
  const parameters = [...(inClass ? ['self'] : []), ...program.parameters].join(', ');
  const definition = [
    ...program.decorators,
    `def test_main(${parameters}):`,
    ...program.steps.map((text) => `    ${text}`),
  ];
  const lines = inClass ? ['class TestMain:', ...definition.map((text) => `    ${text}`)] : definition;
  files.set(test.path, textOf(test, ['', ...lines, '', 'def test_other():', '    assert True']));
  return { files, node: `${test.path}::${inClass ? 'TestMain::' : ''}test_main` };
}
