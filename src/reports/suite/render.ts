// The report of a suite in one of its forms.
import { readCases } from '../../engine/run/suite-end.ts'
import type { JunitCase } from '../../workloads/suite/junit.ts'
import type { SuiteReport } from '../../workloads/suite/report.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { documentInHtml, documentInMarkdown } from '../document.ts'
import { suiteDocument } from './document.ts'
import { renderJunit } from './junit.ts'

type SuiteForm = 'junit' | 'markdown' | 'html'

/** The JUnit files of its entries are read for the form that merges them, and without a workspace not even then. */
export async function suiteReportText(
  workspace: Workspace | null,
  report: SuiteReport,
  form: SuiteForm,
): Promise<string> {
  if (form === 'markdown') return documentInMarkdown(suiteDocument(report))
  if (form === 'html') return documentInHtml(suiteDocument(report))
  const cases = new Map<string, JunitCase[]>()
  for (const { id, tries } of workspace ? report.entries : [])
    for (const { task, attempt } of tries.at(-1)?.attempts ?? []) {
      const folder = workspace ? attemptFolder(workspace.folder, report.run, task, attempt).junit : ''
      cases.set(id, [...(cases.get(id) ?? []), ...(await readCases(folder))])
    }
  return renderJunit(report, cases)
}
