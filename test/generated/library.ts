// What programs do with the standard library and with names: dispatch, caches, pickles, logging, types, threads.
import { type Feature } from './features.js';
import { names } from './program.js';

const { functions, classes, constants } = names;

const tools: Feature = (p) => {
  const [first, second] = p.pair();
  const single = p.fresh(first, functions);
  const cached = p.fresh(first, functions);
  p.add(
    first,
    `
    import functools
    import collections

    @functools.singledispatch
    def ${single}(value):
        return 'object'

    @${single}.register(int)
    def _(value):
        return 'int'

    @functools.lru_cache(maxsize=None)
    def ${cached}(n):
        return n if n < 2 else ${cached}(n - 1) + ${cached}(n - 2)

    Pair_${single} = collections.namedtuple('Pair_${single}', 'left right', defaults=(0,))
    `,
  );
  const used = p.use(second, first, single);
  const kind = p.fresh(second, classes);
  p.add(
    second,
    `
    import functools

    class ${kind}(${p.use(second, first, `Pair_${single}`)}):
        __slots__ = ()

        def total(self):
            return self.left + self.right

    @${used}.register(list)
    @${used}.register(tuple)
    def _sequence(value):
        return [${used}(one) for one in value]

    half = functools.partial(${p.use(second, first, cached)}, 12)
    `,
  );
  second.names.add('half');
  p.useModule(p.test, second);
  p.show(
    `'tools', ${p.use(p.test, first, single)}([1, (2, 'x'), None]), ${p.use(p.test, second, 'half')}(), ${p.use(p.test, first, cached)}.cache_info()`,
  );
  p.show(
    `${p.use(p.test, second, kind)}(3), ${p.use(p.test, second, kind)}(3, 4).total(), ${p.use(p.test, second, kind)}(1)._replace(right=9)`,
  );
};

const pickles: Feature = (p) => {
  const [first, second] = p.pair();
  const kind = p.fresh(first, classes);
  p.add(
    first,
    `
    class ${kind}:
        def __init__(self, n):
            self.n = n

        def __reduce__(self):
            return (_again_${kind}, (self.n,))

        def __repr__(self):
            return '${kind}(%r)' % (self.n,)

    def _again_${kind}(n):
        return ${kind}(n + 1)
    `,
  );
  const used = p.use(second, first, kind);
  const name = p.fresh(second, ['dump', 'copy_of', 'load']);
  p.add(
    second,
    `
    import copy
    import pickle

    class ${name}_state:
        def __init__(self):
            self.a, self.b = 1, [${used}(2)]

        def __getstate__(self):
            return {'b': self.b}

        def __setstate__(self, state):
            self.__dict__.update(state, a='restored')

    def ${name}(value):
        return pickle.loads(pickle.dumps(value)), copy.deepcopy(value)
    `,
  );
  p.show(`'pickle', ${p.use(p.test, second, name)}(${p.use(p.test, first, kind)}(1))`);
  p.show(
    `[vars(one) for one in ${p.use(p.test, second, name)}(${p.use(p.test, second, `${name}_state`)}())]`,
  );
};

const builtinNames: Feature = (p) => {
  const [first, second] = p.pair();
  const name = p.random.pick(['open', 'len', 'sum', 'id', 'sorted', 'type_', 'list_']);
  if (first.names.has(name) || second.names.has(name)) return;
  first.names.add(name);
  p.add(
    first,
    `def ${name}(*args, **more):\n    return '${name} of the codebase', len(args) if '${name}' != 'len' else 1`,
  );
  const plain = p.fresh(second, functions);
  p.add(second, `def ${plain}(x):\n    return sum(x), len(x), sorted(x), id(x) == id(x)`);
  p.show(`'builtins', ${p.use(p.test, second, plain)}([3, 1])`);
  const object = p.useModule(p.test, first);
  p.show(`${object}.${name}(1, 2)`);
};

const visible: Feature = (p) => {
  const module = p.pickModule();
  const name = p.fresh(module, functions);
  p.add(
    module,
    `
    import logging
    import sys
    import warnings

    logger = logging.getLogger(__name__)
    print('loading ${name}')

    def ${name}(x):
        logger.warning('about to %s', x)
        warnings.warn('old', DeprecationWarning, stacklevel=2)
        print('to stderr', file=sys.stderr)
        return ${p.random.pick(['__name__', 'sys._getframe().f_code.co_name', '__name__.upper()', 'type(logger).__name__, logger.name'])}

    if __name__ == '__main__':
        ${name}(sys.argv)
    `,
  );
  module.names.add('logger');
  p.test.head.push('import warnings');
  p.step(`
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        print('visible', ${p.use(p.test, module, name)}('start'))
    print([(str(one.message), one.category.__name__) for one in caught])
  `);
};

const tables: Feature = (p) => {
  const [first, second] = p.pair();
  const one = p.fresh(first, functions);
  p.add(first, `def ${one}(x):\n    return x * 2 + 1`);
  const used = p.use(second, first, one);
  const table = p.fresh(second, constants);
  const name = p.fresh(second, ['lookup', 'get', 'value']);
  p.add(
    second,
    `
    ${table} = {}
    for _n in range(4):
        if _n == 2:
            continue
        ${table}[_n] = ${used}(_n)
    else:
        ${table}['end'] = True
    del _n
    with __import__('contextlib').suppress(KeyError):
        ${table}['no']['deeper'] = 1
    _operations = {
        'double': lambda x: x * 2,
        'called': ${used},
        'never': lambda x: ${used}(x) - 1,
    }
    while len(${table}) < 6:
        ${table}[len(${table}) * 10] = None

    def ${name}(which, x, _seen=[]):
        _seen.append(which)
        return _operations[which](x), len(_seen), list(${table}.items())
    `,
  );
  p.show(`'tables', ${p.use(p.test, second, name)}('double', 3)`);
  p.show(`${p.use(p.test, second, name)}('called', 3)[:2]`);
};

const typing: Feature = (p) => {
  const [first, second] = p.pair();
  const box = p.fresh(first, classes);
  p.add(
    first,
    `
    import typing

    T = typing.TypeVar('T')

    class ${box}(typing.Generic[T]):
        def __init__(self, item: T) -> None:
            self.item = item

        def map(self, function: typing.Callable[[T], T]) -> '${box}[T]':
            return type(self)(function(self.item))

    class ${box}Row(typing.NamedTuple):
        left: int
        right: 'typing.Optional[int]' = None
    `,
  );
  first.names.add('T');
  const [generic, row] = [p.use(second, first, box), p.use(second, first, `${box}Row`)];
  const name = p.fresh(second, functions);
  p.add(
    second,
    `
    import typing

    def ${name}(one: ${generic}, other: ${row} = ${row}(1)) -> typing.Dict[str, int]:
        return {'item': one.map(lambda x: x + 1).item, 'left': other.left}
    `,
  );
  p.step('import typing');
  p.show(
    `'typing', ${p.use(p.test, second, name)}(${p.use(p.test, first, box)}[int](4)), ${p.use(p.test, first, `${box}Row`)}(1)`,
  );
  p.show(
    `sorted(typing.get_type_hints(${p.use(p.test, second, name)})), ${p.use(p.test, first, `${box}Row`)}.__annotations__.keys()`,
  );
};

const threads: Feature = (p) => {
  const [first, second] = p.pair();
  const work = p.fresh(first, ['work', 'run', 'step']);
  p.add(
    first,
    `
    import threading

    lock = threading.Lock()
    done = []

    def ${work}(n):
        with lock:
            done.append(n)
        return n * n
    `,
  );
  for (const name of ['lock', 'done']) first.names.add(name);
  const used = p.use(second, first, work);
  const name = p.fresh(second, ['pool', 'run', 'all_of']);
  p.add(
    second,
    `
    import concurrent.futures
    import contextvars

    current = contextvars.ContextVar('current', default='nobody')

    def ${name}(n):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(${used}, range(n)))
        token = current.set('somebody')
        try:
            return found, current.get()
        finally:
            current.reset(token)
    `,
  );
  second.names.add('current');
  p.show(
    `'threads', ${p.use(p.test, second, name)}(4), sorted(${p.use(p.test, first, 'done')}), ${p.use(p.test, second, 'current')}.get()`,
  );
};

export const packageFeatures: readonly Feature[] = [
  tools,
  pickles,
  builtinNames,
  visible,
  tables,
  typing,
  threads,
];
