// Ids that exist are named by how near they are to the one that was asked for.
import { expect, test } from 'vitest';
import { nearestIds } from '../../src/trace/nearestIds.js';

test.each<[string, readonly string[], number, readonly string[]]>([
  ['t[5-gone]', ['t[7-other]', 't[5-gon]', 't[6-gone!]'], 3, ['t[5-gon]', 't[6-gone!]', 't[7-other]']],
  ['t[5]', ['t[4]', 't[6]', 't[55]'], 2, ['t[4]', 't[6]']],
  ['t', [], 3, []],
])('%s among %j', (asked, known, count, nearest) => {
  expect(nearestIds(asked, known, count)).toEqual(nearest);
});
