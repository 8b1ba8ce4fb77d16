// A suite as JUnit XML: a `testsuite` per entry, with the cases of its own JUnit files, or one case if it has none.

import { readCases } from '../../engine/run/record-suite.ts'
import type { JunitCase } from '../../workloads/suite/junit.ts'
import type { ReportedEntry, SuiteReport } from '../../workloads/suite/report.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export async function suiteJunit({ folder }: Workspace, report: SuiteReport): Promise<string> {
  const suites: ReturnType<typeof suiteXml>[] = []
  for (const entry of report.entries) {
    const cases: JunitCase[] = []
    for (const { task, attempt } of entry.tries.at(-1)?.attempts ?? [])
      cases.push(...(await readCases(attemptFolder(folder, report.run, task, attempt).junit)))
    suites.push(suiteXml(entry, cases))
  }
  const total = suites.reduce((sum, { tests }) => sum + tests, 0)
  const failed = suites.reduce((sum, { failures }) => sum + failures, 0)
  const seconds = (report.summary.durationMs / 1000).toFixed(3)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(report.name)}" tests="${total}" failures="${failed}" time="${seconds}">`,
    ...suites.map(({ text }) => text),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteXml(entry: ReportedEntry, cases: readonly JunitCase[]) {
  const own = cases.length > 0 ? cases : [asCase(entry)]
  // Adds a case for a command that failed although all of its cases passed.
  const isMissing = entry.verdict === 'failed' && !own.some(isBad)
  const all = isMissing ? [...own, asCase(entry)] : own
  const failures = entry.quarantined ? 0 : all.filter(isBad).length
  const skipped = all.filter(({ outcome }) => outcome === 'skipped').length
  const seconds = ((entry.durationMs ?? 0) / 1000).toFixed(3)
  const facts = [
    `<property name="verdict" value="${xml(entry.verdict)}"/>`,
    `<property name="tries" value="${entry.tries.length}"/>`,
    ...(entry.quarantined ? ['<property name="quarantined" value="true"/>'] : []),
    ...Object.entries(entry.variant).map(([axis, value]) => `<property name="${xml(axis)}" value="${xml(value)}"/>`),
  ]
  const lines = [
    `  <testsuite name="${xml(entry.id)}" tests="${all.length}" failures="${failures}" skipped="${skipped}" time="${seconds}">`,
    `    <properties>${facts.join('')}</properties>`,
    ...all.map((one) => caseXml(one, entry)),
    '  </testsuite>',
  ]
  return { text: lines.join('\n'), tests: all.length, failures }
}

function asCase({ id, durationMs, verdict, failure }: ReportedEntry): JunitCase {
  const outcome = verdict === 'passed' || verdict === 'flaky' ? 'passed' : verdict === 'failed' ? 'failed' : 'skipped'
  return { name: id, suite: id, file: null, ms: durationMs ?? 0, outcome, message: failure?.message ?? verdict }
}

function caseXml({ name, suite, file, ms, outcome, message }: JunitCase, { quarantined }: ReportedEntry): string {
  const where = file === null ? '' : ` file="${xml(file)}"`
  const head = `    <testcase name="${xml(name)}" classname="${xml(suite)}"${where} time="${(ms / 1000).toFixed(3)}"`
  if (outcome === 'passed') return `${head}/>`
  if (outcome === 'skipped') return `${head}><skipped message="${xml(firstLine(message))}"/></testcase>`
  if (quarantined) return `${head}><skipped message="${xml(`quarantined: ${firstLine(message)}`)}"/></testcase>`
  const tag = outcome === 'error' ? 'error' : 'failure'
  return `${head}><${tag} message="${xml(firstLine(message))}">${xml(message)}</${tag}></testcase>`
}

function isBad({ outcome }: JunitCase): boolean {
  return outcome === 'failed' || outcome === 'error'
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** Escapes text for XML and drops characters that XML 1.0 cannot represent. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
