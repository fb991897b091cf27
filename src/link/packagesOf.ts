// A dotted name flows in, the dotted names of the packages that it is in flow out, the outermost first.

/** `a.b` and `a` of `a.b.c`, in the order in which an import loads them: `a`, `a.b`. */
export function packagesOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
}
