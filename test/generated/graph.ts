// The ground of a generated program: constants, functions and classes that use each other across modules, in an order
// that has no end-less calls but plenty of circles among the modules.
import { names, type Export, type Module, type Program } from './program.js';

const indent = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

/** An earlier export of some kind that a module can use at its top, null where there is none. */
function earlier(p: Program, module: Module, kind: Export['kind']): Export | null {
  const fitting = p.exports.filter((one) => one.kind === kind && one.early && one.module.rank <= module.rank);
  return fitting.length === 0 ? null : p.random.pick(fitting);
}

function constantValue(p: Program, module: Module): string {
  const { random } = p;
  const known = earlier(p, module, 'constant');
  const made = earlier(p, module, 'function');
  const choices = [
    () => String(random.int(50)),
    () => String(random.int(50)),
    ...(known === null ? [] : [() => `${p.use(module, known.module, known.name)} + ${random.int(9)}`]),
    ...(known === null ? [] : [() => `[${p.use(module, known.module, known.name)}, ${random.int(9)}][0]`]),
    ...(made === null ? [] : [() => `${p.use(module, made.module, made.name)}(${random.int(5)})`]),
  ];
  return random.pick(choices)();
}

function addConstant(p: Program, module: Module): void {
  const { random } = p;
  const value = constantValue(p, module);
  const name = p.fresh(module, names.constants);
  const forms = [
    `${name} = ${value}`,
    `${name}: int = ${value}`,
    `${name} = _spare = ${value}`,
    `${name}, _rest = ${value}, 'rest'`,
    `${name} = 0\n${name} += ${value}`,
    `${name} = ${value}; _same_row = ${name}`,
    `${name} = 0\nfor _i in range(3):\n    ${name} += _i * (${value})\ndel _i`,
    `if True:\n    ${name} = ${value}\nelse:\n    ${name} = None`,
    `try:\n    ${name} = ${value}\nexcept ValueError:\n    ${name} = -1\nfinally:\n    _done = True`,
    `${name} = sum(x for x in range(4)) + ${value}`,
  ];
  p.add(module, random.pick(forms));
  p.exports.push({ module, name, kind: 'constant', early: true });
}

/** An expression in a function's body, of an earlier function or constant anywhere. */
interface Call {
  readonly lines: string[];
  readonly expression: string;
  readonly early: boolean;
}

function callOf(p: Program, module: Module, argument: string): Call {
  const { random } = p;
  const usable = p.exports.filter((one) => one.kind !== 'class');
  if (usable.length === 0) return { lines: [], expression: argument, early: true };
  const one = random.pick(usable);
  // A circle at the top works between neighbours only; all others are made in functions.
  const far = one.module.rank > module.rank + (p.circles ? 1 : 0);
  const inside = random.chance(0.25) || far ? p.useInside(module, one.module, one.name) : null;
  const early = one.early && one.module.rank <= module.rank;
  const name = inside?.name ?? p.use(module, one.module, one.name);
  return {
    lines: inside?.lines ?? [],
    expression: one.kind === 'function' ? `${name}((${argument}) % 5)` : `(${name} + ${argument})`,
    early,
  };
}

function statements(p: Program, module: Module): { lines: string[]; early: boolean } {
  const { random } = p;
  const one = callOf(p, module, 'total');
  const other = callOf(p, module, 'n');
  const k = 1 + random.int(9);
  const forms: readonly (() => string[])[] = [
    () => [...one.lines, `total += ${one.expression}`],
    () => [
      `if n > ${k}:`,
      ...indent([...one.lines, `total += ${one.expression}`]),
      'else:',
      ...indent([`total -= ${k}`]),
    ],
    () => [`if n > 100:`, ...indent([...other.lines, `return ${other.expression}`])],
    () => [
      `for i in range(n % 3):`,
      ...indent([`total += i * ${k}`, `if total > 1000:`, '    break']),
      'else:',
      ...indent(['total += 1']),
    ],
    () => [
      `try:`,
      ...indent([`total += int('${k}x')`]),
      'except ValueError as error:',
      ...indent([...one.lines, `total += len(str(error)) + ${one.expression}`]),
    ],
    () => [
      `try:`,
      ...indent([`total += int('${k}')`]),
      'except ValueError:',
      ...indent([...one.lines, `total += ${one.expression}`]),
      'else:',
      ...indent(['total += 2']),
    ],
    () => [
      'def local(x):',
      ...indent([`nonlocal total`, `total += x`, `return total * ${k}`]),
      `total = local(n) % 997`,
    ],
    () => [...other.lines, `total += sum(${other.expression} for n in range(2))`],
    () => [`while total > 500:`, ...indent([`total //= 2`])],
    () => [`picked = {True: 'yes', False: 'no'}[n > ${k}]`, `total += len(picked)`],
    () => [...other.lines, `total = (lambda n: ${other.expression})(n) + total`],
    () => [`with_default = [v for v in (n, ${k}) if v] or [0]`, `total += max(with_default)`],
    () => [`assert total > -10**6, 'too small'`],
    () => [`text = f'{n:03d}-{total!r}'`, `total += len(text)`],
  ];
  return { lines: random.pick(forms)(), early: one.early && other.early };
}

function addFunction(p: Program, module: Module): void {
  const { random } = p;
  const body = Array.from({ length: 1 + random.int(3) }, () => statements(p, module));
  const fallback = earlier(p, module, 'constant');
  const standard =
    fallback !== null && random.chance(0.3)
      ? p.use(module, fallback.module, fallback.name)
      : String(random.int(6));
  const name = p.fresh(module, names.functions);
  const documented = random.chance(0.2) ? [`"""About ${name}."""`] : [];
  const annotated = random.chance(0.3) ? ['n: int', ' -> int'] : ['n', ''];
  p.add(
    module,
    [
      `def ${name}(${annotated[0] ?? ''}=${standard}, *rest, **more)${annotated[1] ?? ''}:`,
      ...indent([
        ...documented,
        `total = ${random.int(9)}`,
        ...body.flatMap(({ lines }) => lines),
        'return total % 10007',
      ]),
    ].join('\n'),
  );
  p.exports.push({ module, name, kind: 'function', early: body.every(({ early }) => early) });
}

function addClass(p: Program, module: Module): void {
  const { random } = p;
  const base = random.chance(0.6) ? earlier(p, module, 'class') : null;
  const shared = random.chance(0.5) ? earlier(p, module, 'constant') : null;
  const parent = base === null ? '' : `(${p.use(module, base.module, base.name)})`;
  const attribute = shared === null ? String(random.int(9)) : p.use(module, shared.module, shared.name);
  const work = callOf(p, module, 'self.n');
  const never = callOf(p, module, 'self.n');
  const name = p.fresh(module, names.classes);
  const lines = [`class ${name}${parent}:`, `    size = ${attribute}`];
  if (random.chance(0.3)) lines.push('    doubled = size * 2');
  if (random.chance(0.3)) lines.push(`    table = {i: i * 2 for i in range(3)}`);
  if (base === null || random.chance(0.4))
    lines.push(
      '',
      '    def __init__(self, n=1):',
      ...(base === null ? [] : ['        super().__init__(n)']),
      '        self.n = n + self.size % 7',
    );
  lines.push('', '    def value(self):', ...indent(indent(work.lines)));
  lines.push(
    base !== null && random.chance(0.7)
      ? `        return super().value() + ${work.expression}`
      : `        return ${work.expression}`,
  );
  lines.push(
    '',
    '    def unused(self):',
    ...indent(indent(never.lines)),
    `        return ${never.expression}`,
  );
  if (random.chance(0.4))
    lines.push('', '    @property', '    def half(self):', '        return self.n // 2');
  if (random.chance(0.4))
    lines.push('', '    @classmethod', '    def of(cls, *items):', '        return cls(len(items))');
  if (random.chance(0.3)) lines.push('', '    @staticmethod', '    def plain(x):', '        return x + 1');
  if (random.chance(0.5))
    lines.push('', '    def __repr__(self):', '        return f"<{type(self).__name__} {self.n}>"');
  if (random.chance(0.3))
    lines.push(
      '',
      '    def __eq__(self, other):',
      '        return self.n == other.n',
      '',
      '    __hash__ = None',
    );
  p.add(module, lines.join('\n'));
  p.exports.push({ module, name, kind: 'class', early: true });
}

/** Fills the modules of a program, and lets its test use some of what they hold. */
export function addGraph(p: Program): void {
  const { random } = p;
  for (const module of p.modules) if (!module.isPackage && random.chance(0.2)) module.future = true;
  const plain = p.modules.filter((module) => !module.isPackage);
  const rounds = plain.flatMap((module) => Array.from({ length: 2 + random.int(3) }, () => module));
  for (const module of random.shuffle(rounds)) {
    const add = random.pick([addConstant, addConstant, addFunction, addFunction, addClass]);
    add(p, module);
  }
  for (const one of random.shuffle(p.exports).slice(0, 3 + random.int(4))) {
    const name = p.use(p.test, one.module, one.name);
    if (one.kind === 'constant') p.show(`'${one.name}', ${name}`);
    else if (one.kind === 'function') p.show(`'${one.name}', ${name}(${random.int(20)}), ${name}()`);
    else p.show(`'${one.name}', ${name}(${random.int(9)}).value(), [c.__name__ for c in ${name}.__mro__]`);
  }
}
