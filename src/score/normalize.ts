// Captured text flows in, the same text without what differs between any two runs flows out: addresses, temporary paths,
// ports, durations, file names with line numbers. Nothing else may be changed, or a real difference would be hidden.

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

// A rule that begins with any run of characters may begin only where such a run does: else long words take for ever.
const rules: readonly Rule[] = [
  { pattern: /0x[0-9a-fA-F]{6,}/g, replacement: '0xADDR' },
  {
    pattern: /(?<![^\s'"(=:,])[^\s'"(=:,]*pytest-of-[^\s/\\'":]+[/\\]pytest-\d+[^\s'":]*/g,
    replacement: '/TMP',
  },
  { pattern: /(?:\/private)?\/var\/folders\/[^\s'":]*/g, replacement: '/TMP' },
  { pattern: /(?:\/private)?\/tmp\/[^\s'":]*/g, replacement: '/TMP' },
  {
    pattern: /(127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0)(['"]?(?::|, ?(?:port=)?))\d{1,5}\b/g,
    replacement: '$1$2PORT',
  },
  { pattern: /\b\d+\.\d+(?:e-\d+)? ?(?:s|secs?|seconds|ms|us|µs|ns)\b/g, replacement: 'TIME' },
  { pattern: /File "[^"\n]*", line \d+/g, replacement: 'File "FILE", line N' },
  { pattern: /(?<![\w./\\-])[\w./\\-]*[\w-]\.py:\d+(?::\d+)?/g, replacement: 'FILE.py:N' },
];

/** Text of two runs is compared after this. `temporaryDirs` are further places whose contents have random names. */
export function normalize(text: string, temporaryDirs: readonly string[] = []): string {
  let result = text.replace(/\r\n/g, '\n');
  for (const dir of temporaryDirs) {
    if (dir !== '') result = result.replace(new RegExp(`${escapePattern(dir)}[^\\s'":]*`, 'g'), '/TMP');
  }
  for (const { pattern, replacement } of rules) result = result.replace(pattern, replacement);
  return result;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
