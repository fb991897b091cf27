// One statically discovered pytest test: a function or a method, parametrized or not.

export interface TestItem {
  /** Repo-relative node id without parameters: `tests/test_a.py::TestX::test_y`. */
  readonly nodeId: string;
  /** 1-based line of the `def`. */
  readonly line: number;
  /** 1-based line of the first decorator, or of the `def`. */
  readonly firstLine: number;
  /** 1-based last line. */
  readonly lastLine: number;
  readonly kind: 'function' | 'method' | 'unittest';
  readonly parametrized: boolean;
  readonly isAsync: boolean;
  /** The class that holds the code, where that is another one of the file; `line` is then the inheriting class's. */
  readonly inheritedFrom?: string;
}
