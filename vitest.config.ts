// Each area has one test file that puts every folder of its samples/ through one check function.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The editor's tests run inside VS Code, by test/vscode/run.mjs.
    exclude: ['test/vscode/**', 'test/*/samples/**'],
    // A test may start Python several times on a slow machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Each worker may hold a Python process of its own beside it.
    maxWorkers: 2,
  },
});
