// The report of a run, as text and as a page.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { mapped } from '../../problem.ts'
import { report } from '../../reports/report.ts'
import { refusal } from './refusal.ts'
import { runRoute } from './route.ts'

export const reportRoutes = {
  'runs.report': runRoute({
    scope: 'read',
    summary: 'The report of a run',
    input: { format: z.enum(['md', 'json', 'html']).default('md') },
    answer: ['text/markdown', 'application/json', 'text/html'],
    handle: async ({ workspace, context, input: { run, format } }) => {
      if (format === 'html') {
        const app = context.app()
        if (app === null) return refusal('refused', 'the web app is not built yet: `espalier ui` builds it once')
        const template = await readFile(join(app, 'report.html'), 'utf8')
        return mapped(await context.htmlReport(workspace, { run, template }), ({ text }) => ({
          type: 'text/html',
          body: text,
        }))
      }
      const type = { md: 'text/markdown', json: 'application/json' }[format]
      return mapped(await report(workspace, { run, format }), ({ text }) => ({ type, body: text }))
    },
  }),
}
