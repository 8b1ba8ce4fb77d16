/** What --help says below the flags. */
export function help(text: string, exitStatus: string, ...examples: string[]): string {
  const shown = examples.length > 0 ? ['', 'Examples:', ...examples.map((line) => `  ${line}`)] : []
  return ['', text, '', `Exit status: ${exitStatus}`, ...shown].join('\n')
}
