// What GitHub Actions shows of a suite beside the log: an annotation for each entry that failed or is flaky.
import { messageParts } from '../../failure.ts'
import type { SuiteReport } from '../../workloads/suite/report.ts'
import { stabilityText } from './words.ts'

/** Lines for stdout, in the workflow's own commands. */
export function githubAnnotations({ entries }: SuiteReport): string[] {
  return entries.flatMap((entry) => {
    const { said } = messageParts(entry.failure?.message ?? '')
    if (entry.verdict === 'failed') {
      const end = entry.output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n')
      return command(entry.quarantined ? 'warning' : 'error', entry.id, `${said || 'it failed'}\n${end}`.trimEnd())
    }
    if (entry.verdict === 'blocked') return command('error', entry.id, said || 'an entry it needs did not pass')
    if (entry.verdict === 'flaky')
      return command('warning', entry.id, `flaky: failed first, then passed. ${stabilityText(entry)}`.trim())
    return []
  })
}

/** Of what a failed entry printed. */
const OUTPUT_LINES = 10

/** Nothing in a message may end the command or begin another one. */
function command(kind: 'error' | 'warning', title: string, message: string): string[] {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const inProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return [`::${kind} title=${inProperty(title)}::${escaped(message)}`]
}
