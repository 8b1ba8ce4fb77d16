// The report of a run, as text and as a page.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { report } from '../../reports/report.ts'
import { htmlReport } from '../recording/html-report.ts'
import { type Handlers, withRun } from './call.ts'
import { refusal, refusedBy, text } from './reply.ts'

export const reportHandlers: Handlers<'runs.report'> = {
  'runs.report': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { format } = call.input
      if (format === 'html') {
        const app = call.context.app()
        if (app === null) return refusal('refused', 'the web app is not built yet: `espalier ui` builds it once')
        const template = await readFile(join(app, 'report.html'), 'utf8')
        const page = await htmlReport(workspace, { run, template })
        return page.ok ? text('text/html', page.value.text) : refusedBy(page.problems)
      }
      const made = await report(workspace, { run, format })
      const type = { md: 'text/markdown', json: 'application/json' }[format]
      return made.ok ? text(type, made.value.text) : refusedBy(made.problems)
    }),
}
