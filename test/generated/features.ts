// What real codebases do beside calling each other, one function each: every feature adds to a few modules and lets
// the test print what came of it.
import { names, type Program } from './program.js';

export type Feature = (p: Program) => void;

const { functions, classes, constants } = names;

function isSubmodule(p: Program, name: string): boolean {
  return p.modules.some((module) => module.name === `${p.root.name}.${name}`);
}

/** Functions register themselves as their modules load. */
const registry: Feature = (p) => {
  const [first, second] = p.pair();
  const third = p.pickModule();
  const table = p.fresh(first, ['registry', 'HANDLERS', 'table']);
  const register = p.fresh(first, ['register', 'handler']);
  p.add(
    first,
    `
    ${table} = {}

    def ${register}(name, *more):
        def add(target):
            ${table}[name] = target
            for other in more:
                ${table}.setdefault(other, target)
            return target
        return add
    `,
  );
  for (const module of new Set([second, third])) {
    if (module.rank < first.rank) continue;
    const decorator = p.use(module, first, register);
    const name = p.fresh(module, functions);
    p.add(
      module,
      `
      @${decorator}('${module.name.split('.').at(-1) ?? ''}', 'also')
      def ${name}(x=1):
          return ('${name}', x)
      `,
    );
    p.useModule(p.test, module);
  }
  const known = p.use(p.test, first, table);
  p.show(`[(name, ${known}[name](n)) for n, name in enumerate(${known})]`);
};

/** Subclasses are counted by their base; a metaclass adds to each. */
const subclasses: Feature = (p) => {
  const [first, second] = p.pair();
  const meta = p.fresh(first, ['Meta', 'Type']);
  const base = p.fresh(first, classes);
  p.add(
    first,
    `
    class ${meta}(type):
        made = []

        def __new__(mcs, name, bases, space, **options):
            made = super().__new__(mcs, name, bases, dict(space, label=name.lower()))
            mcs.made.append((name, sorted(options)))
            return made

        def __init__(cls, name, bases, space, **options):
            super().__init__(name, bases, space)

        def __contains__(cls, item):
            return item == cls.label

    class ${base}(metaclass=${meta}):
        kinds = []

        def __init_subclass__(cls, **options):
            super().__init_subclass__()
            ${base}.kinds.append(cls)

        def describe(self):
            return self.label
    `,
  );
  const parent = p.use(second, first, base);
  const one = p.fresh(second, classes);
  const two = p.fresh(second, classes);
  p.add(
    second,
    `
    class ${one}(${parent}, extra=1):
        def describe(self):
            return '<' + super().describe() + '>'

    class ${two}(${one}):
        pass
    `,
  );
  p.useModule(p.test, second);
  const known = p.use(p.test, first, base);
  p.show(`[(kind.__name__, kind().describe()) for kind in ${known}.kinds]`);
  p.show(`${p.use(p.test, first, meta)}.made, '${two.toLowerCase()}' in ${known}.kinds[1]`);
};

/** Abstract bases, mixins and cooperative super(). */
const abstract: Feature = (p) => {
  const [first, second] = p.pair();
  const base = p.fresh(first, classes);
  const mixin = p.fresh(first, ['Mixin', 'Loud', 'Counting']);
  p.add(
    first,
    `
    import abc
    from functools import total_ordering

    class ${base}(abc.ABC):
        @property
        @abc.abstractmethod
        def name(self):
            """Its name."""

        @abc.abstractmethod
        def area(self): ...

        @abc.abstractmethod
        def never(self):
            raise NotImplementedError

        def __str__(self):
            return f'{self.name}={self.area()}'

    @total_ordering
    class ${mixin}:
        def __init__(self, *args, **options):
            self.calls = options.pop('calls', 0)
            super().__init__(*args, **options)

        def __eq__(self, other):
            return self.area() == other.area()

        def __lt__(self, other):
            return self.area() < other.area()

        def area(self):
            self.calls += 1
            return super().area()
    `,
  );
  const names_ = [p.use(second, first, mixin), p.use(second, first, base)];
  const shape = p.fresh(second, classes);
  const loud = p.fresh(second, classes);
  p.add(
    second,
    `
    class ${shape}(${names_[1] ?? ''}):
        def __init__(self, side):
            self.side = side

        name = property(lambda self: type(self).__name__)

        def area(self):
            return self.side ** 2

        def never(self):
            return 'never called'

    class ${loud}(${names_[0] ?? ''}, ${shape}):
        pass
    `,
  );
  const used = p.use(p.test, second, loud);
  p.step(`made_shapes = [${used}(side, calls=side) for side in (3, 1, 2)]`);
  p.show(
    `[str(one) for one in sorted(made_shapes)], max(made_shapes).calls, made_shapes[0] >= made_shapes[1]`,
  );
  const raw = p.use(p.test, first, base);
  p.step(`
    try:
        ${raw}()
    except TypeError as error:
        print('abstract', sorted(${raw}.__abstractmethods__), type(error).__name__)
  `);
};

/** Dataclasses and enums whose fields come from other modules. */
const data: Feature = (p) => {
  const [first, second] = p.pair();
  const enumeration = p.fresh(first, ['Color', 'Kind', 'Value']);
  const limit = p.fresh(first, constants);
  p.add(
    first,
    `
    import enum

    ${limit} = ${p.random.int(9)}

    class ${enumeration}(enum.Enum):
        SMALL = ${limit}
        LARGE = ${limit} * 10 + 1
        ALIAS = ${limit}

        @classmethod
        def _missing_(cls, value):
            return cls.LARGE

        @property
        def title(self):
            return self.name.title()
    `,
  );
  const kind = p.use(second, first, enumeration);
  const number = p.use(second, first, limit);
  const record = p.fresh(second, classes);
  const nested = p.fresh(second, classes);
  p.add(
    second,
    `
    import dataclasses
    import typing
    from dataclasses import dataclass, field

    def _row_list():
        return [${number}]

    @dataclass(order=True)
    class ${record}:
        count: int
        kind: ${kind} = field(default=${kind}.SMALL, compare=False)
        row_list: typing.List[int] = field(default_factory=_row_list)
        shared: typing.ClassVar[int] = ${number}
        start: dataclasses.InitVar[int] = 0

        def __post_init__(self, start):
            self.count += start
            self.late = self.kind.title

    @dataclass(frozen=True)
    class ${nested}:
        inner: ${record} = field(default_factory=lambda: ${record}(1))
    `,
  );
  const used = p.use(p.test, second, record);
  const outer = p.use(p.test, second, nested);
  p.show(`${used}(2, start=5), ${used}(1) < ${used}(2), ${outer}()`);
  p.show(`[field.name for field in __import__('dataclasses').fields(${used})], ${used}(3).late`);
  p.show(
    `[(one.name, one.title) for one in ${p.use(p.test, first, enumeration)}], ${p.use(p.test, first, enumeration)}(99)`,
  );
};

/** State of a module that others change, by the module and by a copy of the name. */
const state: Feature = (p) => {
  const [first, second] = p.pair();
  const counter = p.fresh(first, ['counter', 'total', '_state']);
  const cache = p.fresh(first, ['cache', 'data', 'items']);
  const bump = p.fresh(first, ['bump', 'step', 'run']);
  const reset = p.fresh(first, ['reset', 'load']);
  p.add(
    first,
    `
    ${counter} = ${p.random.int(5)}
    ${cache} = {}

    def ${bump}(by=1):
        global ${counter}
        ${counter} += by
        ${cache}[${counter}] = by
        return ${counter}

    def ${reset}():
        global ${counter}, ${cache}
        ${counter}, ${cache} = 0, {}
    `,
  );
  const module = p.useModule(second, first);
  const copy = p.use(second, first, counter);
  const change = p.fresh(second, functions);
  const read = p.fresh(second, ['peek', 'read', 'get']);
  p.add(
    second,
    `
    def ${change}(n):
        ${module}.${counter} += n
        ${module}.${cache}['late'] = n
        return ${module}.${bump}(), ${copy}

    def ${read}():
        return ${module}.${counter}, ${copy}, sorted(${module}.${cache}, key=str)
    `,
  );
  if (p.random.chance(0.5)) p.add(second, `${module}.${bump}(10)`);
  p.show(
    `${p.use(p.test, second, change)}(2), ${p.use(p.test, first, bump)}(), ${p.use(p.test, first, counter)}`,
  );
  p.show(`${p.use(p.test, second, read)}()`);
  if (p.random.chance(0.5)) {
    p.step(`${p.use(p.test, first, reset)}()`);
    p.show(`${p.use(p.test, second, read)}()`);
  }
};

/** Star imports, with `__all__` computed, given or absent. */
const stars: Feature = (p) => {
  const [first, second] = p.pair();
  const one = p.fresh(first, functions);
  const hidden = p.fresh(first, ['_hidden', '_inner']);
  const listed = p.random.pick(['plain', 'computed', 'none']);
  const all =
    {
      plain: `__all__ = ['${one}', '${hidden}']`,
      computed: `__all__ = ['${one}']\n__all__ += ['${hidden}']`,
      none: '',
    }[listed] ?? '';
  if (!first.body.some((line) => line.startsWith('__all__')))
    p.add(
      first,
      `
      def ${one}(x=2):
          return ${hidden}(x) + 1

      def ${hidden}(x):
          return x * ${1 + p.random.int(5)}
      `,
    );
  else return;
  if (all !== '') for (const line of all.split('\n')) p.add(first, line);
  if (second.names.has(one)) return;
  second.names.add(one);
  const target = p.random.chance(0.5) ? second : p.root;
  if (target === p.root && (p.root.names.has(one) || listed === 'none' || isSubmodule(p, one))) return;
  target.names.add(one);
  target.head.push(`from ${first.name} import *`);
  if (target === second) {
    const name = p.fresh(second, functions);
    p.add(second, `def ${name}(x=3):\n    return ${one}(x) * 2`);
    p.show(`'star', ${p.use(p.test, second, name)}(), ${p.use(p.test, first, one)}(1)`);
  } else p.show(`'star', ${p.use(p.test, p.root, one)}(1)`);
};

/** The package re-exports, sometimes under another name; code below it reads from the package, late. */
const reexports: Feature = (p) => {
  const { random } = p;
  const module = p.pickModule();
  const name = p.fresh(module, functions);
  p.add(module, `def ${name}(x=0):\n    return '${module.name}', x`);
  if (p.root.names.has(name)) return;
  if (isSubmodule(p, name)) return;
  p.root.names.add(name);
  const leaf = module.name.slice(p.root.name.length + 1);
  p.root.head.push(`from .${leaf} import ${name}`);
  if (random.chance(0.4)) p.add(p.root, `__all__ = ['${name}']`);
  if (random.chance(0.4)) p.add(p.root, `__version__ = '1.${random.int(9)}'`);
  const other = p.pickModule();
  const late = p.fresh(other, functions);
  p.add(
    other,
    `def ${late}(x):\n    from ${p.root.name} import ${name} as found\n    return found(x), found.__module__`,
  );
  p.show(`'package', ${p.use(p.test, p.root, name)}(1), ${p.use(p.test, other, late)}(2)`);
};

/** PEP 562: attributes of a module made when asked for. */
const moduleGetattr: Feature = (p) => {
  const module = p.pickModule();
  if (module.names.has('__getattr__')) return;
  module.names.add('__getattr__');
  const made = p.random.pick(['lazy', 'LATE', 'old_name']);
  p.add(
    module,
    `
    def __getattr__(name):
        if name == '${made}':
            globals()['_${made}_made'] = globals().get('_${made}_made', 0) + 1
            return [name, _${made}_made]
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    `,
  );
  const object = p.useModule(p.test, module);
  p.show(`'lazy', ${object}.${made}, ${object}.${made}, hasattr(${object}, 'missing_one')`);
};

/** Names that exist or not, by what can be imported and what runs. */
const conditional: Feature = (p) => {
  const module = p.pickModule();
  const name = p.fresh(module, functions);
  const flag = p.fresh(module, ['HAS_FAST', 'FAST', 'AVAILABLE']);
  const kind = p.fresh(module, classes);
  p.add(
    module,
    `
    import sys
    import typing

    try:
        import fast_${name}_that_is_not_there as fast
        ${flag} = True
    except ImportError:
        fast = None
        ${flag} = False

    if typing.TYPE_CHECKING:
        from nowhere import Something

    if sys.version_info >= (3, 6):
        def ${name}(x):
            if fast is not None:
                return fast.do(x)
            return x + 1
    else:
        def ${name}(x):
            return -1

    if ${flag}:
        class ${kind}:
            size = 1
    elif len(sys.argv) > 10**6:
        ${kind} = None
    else:
        class ${kind}:
            size = 2

            def of(self, other: 'Something') -> 'Something':
                return other
    `,
  );
  p.show(
    `'conditional', ${p.use(p.test, module, name)}(1), ${p.use(p.test, module, kind)}().of(3), ${p.use(p.test, module, kind)}.size`,
  );
};

/** Names looked up by string. */
const dynamic: Feature = (p) => {
  const [first, second] = p.pair();
  const one = p.fresh(first, functions);
  const two = p.fresh(first, functions);
  p.add(first, `def ${one}(x):\n    return 'first', x\n\ndef ${two}(x):\n    return 'second', x`);
  const module = p.useModule(second, first);
  const name = p.fresh(second, ['dispatch', 'call', 'run']);
  const lookup = p.random.pick([
    `getattr(${module}, which)`,
    `vars(${module})[which]`,
    `__import__('sys').modules['${first.name}'].__dict__[which]`,
    `eval('${module}.' + which)`,
  ]);
  p.add(
    second,
    `
    def ${name}(which, x):
        return ${lookup}(x)

    for _count in range(2):
        globals()['made_%d' % _count] = _count * 10
    `,
  );
  p.show(`[${p.use(p.test, second, name)}(which, 1) for which in ('${one}', '${two}')]`);
  p.show(`${p.useModule(p.test, second)}.made_1`);
};

/** Modules found by a list of names. */
const plugins: Feature = (p) => {
  const found = p.modules.filter((module) => !module.isPackage).slice(0, 2);
  for (const module of found) {
    if (module.names.has('setup_plugin')) return;
    module.names.add('setup_plugin');
    p.add(module, `def setup_plugin(log):\n    log.append(__name__)\n    return len(log)`);
  }
  const last = p.modules.findLast((module) => !module.isPackage) ?? p.root;
  const name = p.fresh(last, ['load_all', 'discover']);
  p.add(
    last,
    `
    import importlib

    def ${name}():
        log = []
        for name in ${JSON.stringify(found.map((module) => module.name))}:
            importlib.import_module(name).setup_plugin(log)
        return log
    `,
  );
  p.show(`'plugins', ${p.use(p.test, last, name)}()`);
};

export const moduleFeatures: readonly Feature[] = [
  registry,
  subclasses,
  abstract,
  data,
  state,
  stars,
  reexports,
  moduleGetattr,
  conditional,
  dynamic,
  plugins,
];
