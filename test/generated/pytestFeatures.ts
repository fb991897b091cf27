// What tests do with pytest: fixtures in conftest files, parameters, patches by dotted names, failures of every kind.
import { type Feature } from './features.js';
import { names } from './program.js';

const { functions, classes, constants } = names;

const fixtures: Feature = (p) => {
  const module = p.pickModule();
  const kind = p.fresh(module, classes);
  p.add(
    module,
    `
    class ${kind}:
        log = []

        def __init__(self, name):
            self.name = name
            self.log.append('made ' + name)

        def close(self):
            self.log.append('closed ' + self.name)
            print('closing', self.log)
    `,
  );
  const used = p.use(p.conftest, module, kind);
  const scope = p.random.pick(['function', 'module', 'session']);
  if (!p.conftest.head.includes('import pytest')) p.conftest.head.push('import pytest');
  p.add(
    p.conftest,
    `
    @pytest.fixture(scope='${scope}')
    def resource(request):
        made = ${used}('resource')
        yield made
        made.close()

    @pytest.fixture
    def renamed_inner(resource):
        return 'conftest ' + resource.name

    @pytest.fixture(name='renamed')
    def _renamed(renamed_inner):
        return renamed_inner.upper()

    @pytest.fixture(autouse=True)
    def always(monkeypatch):
        monkeypatch.setenv('GENERATED_MODE', 'on')
        yield
        print('always ends')
    `,
  );
  if (!p.test.head.includes('import pytest')) p.test.head.push('import pytest');
  if (p.random.chance(0.5))
    p.add(
      p.test,
      `
      @pytest.fixture
      def renamed_inner(renamed_inner):
          return 'test over ' + renamed_inner
      `,
    );
  p.parameters.push('renamed');
  p.step('import os');
  p.show(`'fixture', renamed, os.environ['GENERATED_MODE'], ${p.use(p.test, module, kind)}.log`);
};

const parametrized: Feature = (p) => {
  const module = p.pickModule();
  const rows = p.fresh(module, constants);
  p.add(module, `${rows} = [('a', ${p.random.int(5)}), ('b-b', None), ('ü', [1])]`);
  const used = p.use(p.test, module, rows);
  if (!p.test.head.includes('import pytest')) p.test.head.push('import pytest');
  p.decorators.push(
    p.random.pick([
      `@pytest.mark.parametrize('word, extra', ${used})`,
      `@pytest.mark.parametrize(('word', 'extra'), [pytest.param(*row, id=row[0]) for row in ${used}])`,
      `@pytest.mark.parametrize('word, extra', ${used}, ids=lambda x: str(x)[:1])`,
    ]),
  );
  if (p.random.chance(0.3)) {
    p.decorators.push(`@pytest.mark.parametrize('flag', [True, False])`);
    p.parameters.push('flag');
    p.show('flag');
  }
  p.parameters.push('word', 'extra');
  p.show(`'parameters', word, extra`);
  if (p.random.chance(0.3)) p.step(`assert extra != [1], word`);
};

const patched: Feature = (p) => {
  const [first, second] = p.pair();
  const one = p.fresh(first, functions);
  const limit = p.fresh(first, constants);
  p.add(first, `${limit} = [1]\n\ndef ${one}(x=1):\n    return 'real', x, ${limit}`);
  const used = p.use(second, first, one);
  const name = p.fresh(second, functions);
  p.add(second, `def ${name}(x):\n    return ${used}(x)`);
  const caller = p.use(p.test, second, name);
  const way = p.random.int(6);
  if (way === 0) {
    p.parameters.push('monkeypatch');
    p.step(`monkeypatch.setattr('${first.name}.${one}', lambda x=0: ('patched', x))`);
  } else if (way === 1) {
    p.parameters.push('monkeypatch');
    p.step(`monkeypatch.setattr(${p.useModule(p.test, first)}, '${limit}', ['patched'])`);
  } else if (way === 2) {
    p.step(`from unittest import mock`);
    p.step(`with mock.patch('${first.name}.${limit}', new=['mocked']):\n    print(${caller}(5))`);
  } else if (way === 3) {
    p.decorators.push(`@mock.patch('${first.name}.${limit}', ['decorated'])`);
    p.test.head.push('from unittest import mock');
  } else if (way === 4) {
    p.step(`from unittest import mock`);
    p.step(
      `with mock.patch.object(${p.useModule(p.test, first)}, '${one}', return_value='mocked') as fake:\n    print(${caller}(5), fake.call_count)`,
    );
  } else {
    p.parameters.push('monkeypatch');
    p.step(
      `monkeypatch.setitem(${p.useModule(p.test, first)}.${limit}.__class__ is list and vars(__import__('sys').modules['${first.name}']), '${limit}', 'set')`,
    );
  }
  p.show(`'patched', ${caller}(2), ${p.use(p.test, first, one)}(3)`);
};

const failing: Feature = (p) => {
  const module = p.pickModule();
  const kind = p.fresh(module, ['Error', 'Problem', 'Stop']);
  const name = p.fresh(module, ['fail', 'check', 'validate']);
  p.add(
    module,
    `
    class ${kind}(${p.random.pick(['Exception', 'ValueError', 'AssertionError', 'KeyError'])}):
        pass

    def ${name}(value, limit=3):
        assert isinstance(value, int), value
        if value > limit:
            raise ${kind}('value %d over %d' % (value, limit))
        return value
    `,
  );
  const used = p.use(p.test, module, name);
  if (!p.test.head.includes('import pytest')) p.test.head.push('import pytest');
  const way = p.random.int(6);
  if (way === 0) p.step(`${used}(10)`);
  else if (way === 1) p.step(`assert ${used}(2) == 3, 'two is not three'`);
  else if (way === 2) {
    p.decorators.push(
      `@pytest.mark.xfail(raises=${p.use(p.test, module, kind)}, strict=True, reason='known')`,
    );
    p.step(`${used}(11)`);
  } else if (way === 3) p.step(`${used}('text')`);
  else if (way === 4) p.step(`if ${used}(1) == 1:\n    pytest.skip('skipped late')`);
  else p.step(`gathered = [${used}(n) for n in range(3)]\nassert gathered == [0, 1, 2, 3]`);
};

const captured: Feature = (p) => {
  const module = p.pickModule();
  const name = p.fresh(module, ['shout', 'report', 'write']);
  p.add(
    module,
    `import sys\n\ndef ${name}(x):\n    print('out', x)\n    sys.stderr.write('err %s\\n' % x)\n    return len(sys.argv) > 0`,
  );
  p.parameters.push('capsys', 'tmp_path');
  p.step(`
    before = capsys.readouterr()
    ${p.use(p.test, module, name)}('captured')
    seen = capsys.readouterr()
    sys_out = before.out
    print(sys_out, end='')
    (tmp_path / 'note.txt').write_text(seen.err)
    print('captured', repr(seen.out), (tmp_path / 'note.txt').read_text())
  `);
};

const xunit: Feature = (p) => {
  const module = p.pickModule();
  const log = p.fresh(module, ['journal', 'log_of_calls', 'items']);
  p.add(module, `${log} = []\n\ndef note_${log}(what):\n    ${log}.append(what)`);
  const note = p.use(p.test, module, `note_${log}`);
  if (p.test.names.has('setup_module')) return;
  p.test.names.add('setup_module');
  p.add(
    p.test,
    `
    def setup_module(module):
        ${note}('module')

    def teardown_module():
        print('torn down', ${p.use(p.test, module, log)})

    def setup_function(function):
        ${note}(function.__name__)
    `,
  );
  p.show(`'xunit', ${p.use(p.test, module, log)}`);
};

const dataFile: Feature = (p) => {
  const module = p.pickModule();
  const name = p.fresh(module, ['read_text', 'load', 'config']);
  const folder = module.path.slice(0, module.path.lastIndexOf('/') + 1);
  p.files.set(`${folder}rows.txt`, `first\nsecond ${p.random.int(99)}\n`);
  p.add(
    module,
    `
    import pathlib

    _here = pathlib.Path(__file__).parent

    def ${name}():
        return (_here / 'rows.txt').read_text().split()
    `,
  );
  module.names.add('_here');
  p.show(`'data', ${p.use(p.test, module, name)}()`);
};

const settings: Feature = (p) => {
  const module = p.pickModule();
  const name = p.fresh(module, ['warned', 'old_way']);
  p.add(
    module,
    `import warnings\n\ndef ${name}():\n    warnings.warn('${name} is old', FutureWarning)\n    return 'warned'`,
  );
  p.settings.push('filterwarnings =', '    error::FutureWarning', '    ignore:nothing');
  p.step(`
    try:
        print(${p.use(p.test, module, name)}())
    except FutureWarning as error:
        print('raised', error)
  `);
};

export const pytestFeatures: readonly Feature[] = [
  fixtures,
  parametrized,
  patched,
  failing,
  captured,
  xunit,
  dataFile,
  settings,
];
