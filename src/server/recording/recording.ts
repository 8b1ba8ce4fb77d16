// Answers of the server, recorded: what the dashboard shows in a page without a server is what it would have been given. By
// the same table of routes, so the shapes cannot differ.
import { gzipSync } from 'node:zlib'
import { jsonText } from '../../text/json.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { pathOf, type RouteName } from '../resources/paths.ts'
import type { Answer } from '../resources/routes.ts'

/** What a page is about. The views that it offers follow from this. */
export type PageKind = 'run' | 'suite' | 'search' | 'plan' | 'simulation'

export class Recording {
  readonly #answers: Record<string, unknown> = {}

  /** `words`: those of its path, and those of the query that matter. */
  put<Name extends RouteName>(name: Name, words: Record<string, string | number | true>, answer: Answer<Name>): void {
    const { path, params } = pathOf(name)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(String(words[param])))
    const query = Object.entries(words)
      .filter(([key]) => !params.includes(key))
      .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
      .sort()
      .join('&')
    this.#answers[query === '' ? filled : `${filled}?${query}`] = answer
  }

  /** `template`: `report.html` of the built app. `start`: what is shown first, as in an address of the dashboard. */
  page(template: string, { start, kind, title }: { start: string; kind: PageKind; title: string }): string {
    const data = { at: Date.now(), start, kind, answers: this.#answers }
    const packed = gzipSync(jsonText(data), { level: 9 }).toString('base64')
    const name = title.replaceAll(/[<>&]/g, '')
    // By functions: a text may hold `$&`.
    return template
      .replace('<title>Espalier</title>', () => `<title>${name}</title>`)
      .replace(PLACE, () => PLACE.replace('></', () => `>${packed}</`))
  }
}

/** A run that is being recorded, by the names it has in the page. */
export type RecordedRun = { recording: Recording; workspace: Workspace; project: string; run: string }

/** Where vite.config.ts leaves room for it. */
const PLACE = '<script id="data" type="text/plain"></script>'
