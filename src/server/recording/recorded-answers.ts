// Recorded answers of the server: a page without a server shows the same dashboard with the same data. The answers come from the
// same table of routes, so their shapes cannot differ.
import { gzipSync } from 'node:zlib'
import { jsonText } from '../../text/json.ts'
import { pathOf, type RouteName } from '../resources/route-paths.ts'
import type { Answer } from '../resources/routes.ts'
import { PROTOCOL_VERSION } from '../resources/server-and-tokens.ts'

/** The subject of a page. The views that it offers follow from this. */
export type PageKind = 'run' | 'suite' | 'search' | 'plan' | 'simulation'

export class Recording {
  readonly #answers: Record<string, unknown> = {}

  constructor(project: string, repo: string) {
    const token = { id: 'file', name: 'this file', scope: 'read' } as const
    this.put('server.get', {}, { name: 'espalier', version: '', protocol: PROTOCOL_VERSION, startedAt: 0, token })
    const one = { id: project, repo, stateDir: '', engine: null, cursor: '0', trouble: null }
    this.put('projects.list', {}, { items: [one] })
  }

  /** `words`: those of its path and query. The page asks for the same ones, except for the length of lists. */
  put<Name extends RouteName>(name: Name, words: Record<string, string | number | true>, answer: Answer<Name>): void {
    const { path, params } = pathOf(name)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(String(words[param])))
    const query = Object.entries(words)
      .filter(([key]) => !params.includes(key) && key !== 'limit')
      .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
      .sort()
      .join('&')
    this.#answers[query === '' ? filled : `${filled}?${query}`] = answer
  }

  /** `template`: `report.html` of the built app. `start`: the first view, as in an address of the dashboard. */
  page(template: string, { start, kind, title }: { start: string; kind: PageKind; title: string }): string {
    const data = { at: Date.now(), start, kind, answers: this.#answers }
    const packed = gzipSync(jsonText(data), { level: 9 }).toString('base64')
    const name = title.replaceAll(/[<>&]/g, '')
    // Replaced by functions, because a text may contain `$&`.
    return template
      .replace('<title>Espalier</title>', () => `<title>${name}</title>`)
      .replace(PLACE, () => PLACE.replace('></', () => `>${packed}</`))
  }
}

/** Placeholder for the data, written by vite.config.ts. */
const PLACE = '<script id="data" type="text/plain"></script>'
