// Variables that the codebase was seen to read flow in, those that decide behaviour without being seen flow out with them.

/** The C library reads these itself, for local time and for the locale, past os.environ. */
const readInC = /^(TZ|LANG|LC_\w+)$/;

/** Names in order, each once; of those read in C the ones that are set. */
export function variablesRead(
  seen: readonly string[],
  env: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...seen, ...Object.keys(env).filter((name) => readInC.test(name))])].toSorted();
}
