// Features of the language at run time: generators, coroutines, contexts, exceptions, closures, descriptors.
import { type Feature } from './features.js';
import { names } from './program.js';

const { functions, classes } = names;

const generators: Feature = (p) => {
  const [first, second] = p.pair();
  const source = p.fresh(first, ['numbers', 'load', 'items']);
  p.add(
    first,
    `
    def ${source}(limit):
        got = None
        for i in range(limit):
            got = yield (i if got is None else got)
        return 'end of ${source}'

    def ${source}_empty():
        return
        yield
    `,
  );
  const inner = p.use(second, first, source);
  const empty = p.use(second, first, `${source}_empty`);
  const name = p.fresh(second, functions);
  p.add(
    second,
    `
    def ${name}(n):
        result = yield from ${inner}(n)
        yield result
        yield from ${empty}()
        yield from (x * 2 for x in range(2))

    class ${name}_closing:
        log = []

        def run(self):
            try:
                yield 1
                yield 2
            finally:
                self.log.append('closed')
    `,
  );
  const used = p.use(p.test, second, name);
  const closing = p.use(p.test, second, `${name}_closing`);
  p.step(`made = ${used}(2)`);
  p.show(`'generator', next(made), made.send(7), list(made)`);
  p.step(`made = ${closing}().run()\nnext(made)\nmade.close()`);
  p.show(`${closing}.log`);
};

const coroutines: Feature = (p) => {
  const [first, second] = p.pair();
  const session = p.fresh(first, classes);
  p.add(
    first,
    `
    import asyncio

    class ${session}:
        opened = []

        async def __aenter__(self):
            await asyncio.sleep(0)
            self.opened.append('in')
            return self

        async def __aexit__(self, kind, error, trace):
            self.opened.append('out' if kind is None else kind.__name__)
            return kind is KeyError

        async def rows(self, n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i
    `,
  );
  const used = p.use(second, first, session);
  const name = p.fresh(second, functions);
  p.add(
    second,
    `
    import asyncio

    async def ${name}(n):
        async with ${used}() as session:
            found = [row async for row in session.rows(n)]
            if n > 2:
                raise KeyError(n)
        return found

    async def ${name}_all():
        return await asyncio.gather(*(${name}(n) for n in range(4)))
    `,
  );
  p.step('import asyncio');
  p.show(
    `'async', asyncio.run(${p.use(p.test, second, `${name}_all`)}()), ${p.use(p.test, first, session)}.opened`,
  );
};

const contexts: Feature = (p) => {
  const [first, second] = p.pair();
  const manager = p.fresh(first, ['opened', 'managed', 'step']);
  const kind = p.fresh(first, classes);
  p.add(
    first,
    `
    import contextlib

    log = []

    @contextlib.contextmanager
    def ${manager}(name, swallow=()):
        log.append('enter ' + name)
        try:
            yield name.upper()
        except swallow as error:
            log.append(repr(error))
        finally:
            log.append('exit ' + name)

    class ${kind}(contextlib.ContextDecorator):
        def __enter__(self):
            log.append('decorated')
            return self

        def __exit__(self, *error):
            return False
    `,
  );
  first.names.add('log');
  const [used, decorator] = [p.use(second, first, manager), p.use(second, first, kind)];
  const name = p.fresh(second, functions);
  p.add(
    second,
    `
    @${decorator}()
    def ${name}(n):
        with ${used}('a') as a, ${used}('b', swallow=ZeroDivisionError):
            return a, 1 // n
        return 'swallowed'
    `,
  );
  p.show(
    `'context', ${p.use(p.test, second, name)}(1), ${p.use(p.test, second, name)}(0), ${p.use(p.test, first, 'log')}`,
  );
};

const exceptions: Feature = (p) => {
  const [first, second] = p.pair();
  const base = p.fresh(first, ['Error', 'AppError', 'Failure']);
  p.add(
    first,
    `
    class ${base}(Exception):
        code = ${p.random.int(99)}

        def __init__(self, message, *, hint=None):
            super().__init__(message)
            self.hint = hint

        def __str__(self):
            return f'[{self.code}] {self.args[0]}'

    class ${base}Missing(${base}, LookupError):
        code = 404
    `,
  );
  const [known, missing] = [p.use(second, first, base), p.use(second, first, `${base}Missing`)];
  const find = p.fresh(second, ['find', 'get', 'check']);
  p.add(
    second,
    `
    def ${find}(table, key):
        try:
            return table[key]
        except KeyError as error:
            raise ${missing}(f'no {key}', hint=sorted(table)) from error
        except TypeError:
            raise ${known}('bad key') from None

    def ${find}_or(table, key, fallback):
        try:
            found = ${find}(table, key)
        except LookupError:
            return fallback
        except ${known} as error:
            return str(error), error.__cause__, error.__suppress_context__
        else:
            return found
        finally:
            ${find}.calls = getattr(${find}, 'calls', 0) + 1
    `,
  );
  const used = p.use(p.test, second, `${find}_or`);
  p.show(`'errors', ${used}({'a': 1}, 'a', 0), ${used}({}, 'b', 'none'), ${used}({}, [], 0)`);
  p.show(`${p.use(p.test, second, find)}.calls`);
  if (p.random.chance(0.4)) {
    p.test.head.push('import pytest');
    p.step(`
      with pytest.raises(${p.use(p.test, first, base)}, match='404') as caught:
          ${p.use(p.test, second, find)}({'x': 1}, 'y')
      print(caught.value.hint, type(caught.value.__cause__).__name__)
    `);
  } else if (p.random.chance(0.4))
    p.step(`print('fails now')\n${p.use(p.test, second, find)}({'x': 1}, 'y')`);
};

const closures: Feature = (p) => {
  const [first, second] = p.pair();
  const wrap = p.fresh(first, ['traced', 'twice', 'wrap']);
  p.add(
    first,
    `
    import functools

    calls = []

    def ${wrap}(times=1, *, label=None):
        def decorate(function):
            count = 0

            @functools.wraps(function)
            def inner(*args, **options):
                nonlocal count
                count += 1
                calls.append((label or function.__name__, count))
                return [function(*args, **options) for _ in range(times)]

            inner.count = lambda: count
            return inner
        return decorate
    `,
  );
  first.names.add('calls');
  const decorator = p.use(second, first, wrap);
  const name = p.fresh(second, functions);
  const kind = p.fresh(second, classes);
  p.add(
    second,
    `
    @${decorator}(2, label='labelled')
    @${decorator}()
    def ${name}(x, *, bonus=0):
        """Doc of ${name}."""
        return x + bonus

    class ${kind}:
        adders = [lambda x, n=n: x + n for n in range(3)]
        late = [lambda: n for n in range(3)]

        @${decorator}(1)
        def method(self, x):
            return self, x

        def __repr__(self):
            return '${kind}!'
    `,
  );
  p.show(
    `'closure', ${p.use(p.test, second, name)}(1, bonus=2), ${p.use(p.test, second, name)}.count(), ${p.use(p.test, second, name)}.__name__`,
  );
  p.show(
    `[add(10) for add in ${p.use(p.test, second, kind)}.adders], ${p.use(p.test, second, kind)}.late[0](), ${p.use(p.test, second, kind)}().method(5)`,
  );
  p.show(p.use(p.test, first, 'calls'));
  if (p.random.chance(0.3)) p.show(`${p.use(p.test, second, name)}.__doc__`);
};

const descriptors: Feature = (p) => {
  const [first, second] = p.pair();
  const field = p.fresh(first, ['Field', 'Typed', 'Value']);
  p.add(
    first,
    `
    class ${field}:
        def __init__(self, kind=int):
            self.kind = kind

        def __set_name__(self, owner, name):
            self.name = '_' + name
            owner.fields = (*getattr(owner, 'fields', ()), name)

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return getattr(instance, self.name, None)

        def __set__(self, instance, value):
            setattr(instance, self.name, self.kind(value))
    `,
  );
  const used = p.use(second, first, field);
  const kind = p.fresh(second, classes);
  p.add(
    second,
    `
    import functools

    class ${kind}:
        __slots__ = ('_width', '_height', '__secret', '__dict__')
        width = ${used}()
        height = ${used}(float)

        def __init__(self, width, height):
            self.width, self.height = width, height
            self.__secret = width

        @functools.cached_property
        def area(self):
            self.width = self.width + 1
            return self._width * self._height

        def __getattr__(self, name):
            if name.startswith('get_'):
                return lambda: getattr(self, name[4:])
            raise AttributeError(name)

        def __getitem__(self, index):
            return (self.width, self.height, self.__secret)[index]

        def __call__(self, *, scale=1):
            return self.width * scale

        def __add__(self, other):
            return type(self)(self.width + other.width, self.height)

        def __iadd__(self, other):
            self.width += other
            return self

        def __bool__(self):
            return self.width > 100

        def __len__(self):
            return 3
    `,
  );
  const box = p.use(p.test, second, kind);
  p.step(`box = ${box}('3', '2')`);
  p.show(
    `'descriptor', box.area, box.area, box.get_width(), list(box), box(scale=2), (box + box).width, bool(box), len(box)`,
  );
  p.step('box += 5');
  p.show(`box.width, ${box}.fields, hasattr(box, 'nothing')`);
};

export const languageFeatures: readonly Feature[] = [
  generators,
  coroutines,
  contexts,
  exceptions,
  closures,
  descriptors,
];
