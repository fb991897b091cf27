// The id of a test in the Test Explorer flows in, node ids of ours flow out. Ids are made by the extension that owns the
// test (an absolute path, a prefix, …): only the names after the file are taken from them.
import { testSelector } from '../base/testSelector.js';
import type { TestItem } from '../model/testItem.js';

/** Node ids of the file whose names the id or the label ends with: one test with its parameters, or those of a class. */
export function matchTestId(id: string, label: string, items: readonly TestItem[]): readonly string[] {
  const parameters = /\[.*\]$/s.exec(id)?.[0] ?? /\[.*\]$/s.exec(label)?.[0] ?? '';
  const plain = id.endsWith(parameters) ? id.slice(0, id.length - parameters.length) : id;
  const names = plain.split('::').slice(1);
  if (names.length === 0) return [];
  const own = items.filter(({ nodeId }) => testSelector(nodeId) === names.join('::'));
  const [one] = own;
  if (one !== undefined) return [`${one.nodeId}${parameters}`];
  const prefix = `${names.join('::')}::`;
  return items.map(({ nodeId }) => nodeId).filter((nodeId) => testSelector(nodeId).startsWith(prefix));
}
