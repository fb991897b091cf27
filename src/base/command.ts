// What names a task is a pytest node id, or a command for the interpreter: `python -m package args`, `python script.py`.

/** Whether the name of a task is a command. */
export function isCommand(nodeId: string): boolean {
  return /^python(3(\.\d+)?)? /.test(nodeId);
}
