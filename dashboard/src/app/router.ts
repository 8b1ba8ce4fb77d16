// The address of what is shown, behind the `#`, so that it is the same on a server and in a file:
//   #/                                   projects and their runs
//   #/PROJECT                            one project; #/PROJECT/-/VIEW a view of it
//   #/PROJECT/RUN/VIEW/TASK/PART?q=…     a run, in one of its views, with a task beside it
import { useCallback, useSyncExternalStore } from 'react'

export type Place =
  | { kind: 'home' }
  | { kind: 'project'; project: string; view: string | null }
  | { kind: 'run'; project: string; run: string; view: string; task: string | null; part: string | null }

export type RunPlace = Extract<Place, { kind: 'run' }>

export const FIRST_VIEW = 'list'

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  return placeOf(hash.slice(1))
}

export function placeOf(path: string): Place {
  const [way = ''] = path.split('?')
  const [project, run, view, task, part] = way.split('/').filter(Boolean).map(decodeURIComponent)
  if (project === undefined) return { kind: 'home' }
  if (run === undefined) return { kind: 'project', project, view: null }
  if (run === '-') return { kind: 'project', project, view: view ?? null }
  return { kind: 'run', project, run, view: view ?? FIRST_VIEW, task: task ?? null, part: part ?? null }
}

export function hrefTo(place: Place, query = ''): string {
  const words = wordsOf(place).map(encodeURIComponent)
  return `#/${words.join('/')}${query && `?${query}`}`
}

function wordsOf(place: Place): string[] {
  switch (place.kind) {
    case 'home':
      return []
    case 'project':
      return place.view === null ? [place.project] : [place.project, '-', place.view]
    case 'run': {
      const { project, run, view, task, part } = place
      return [project, run, view, ...(task === null ? [] : [task]), ...(task === null || part === null ? [] : [part])]
    }
    default:
      return place satisfies never
  }
}

export function go(place: Place, options: { replace?: boolean; query?: string } = {}): void {
  const href = hrefTo(place, options.query ?? '')
  if (href === window.location.hash) return
  if (options.replace) window.history.replaceState(null, '', href)
  else window.history.pushState(null, '', href)
  for (const listener of listeners) listener()
}

/** A word of the query of the address: filters, orders. Changing it adds nothing to the history. */
export function useQueryWord(name: string, fallback = ''): [string, (value: string) => void] {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  const value = queryOf(hash).get(name) ?? fallback
  const change = useCallback(
    (next: string) => {
      const [way = ''] = window.location.hash.slice(1).split('?')
      const query = queryOf(window.location.hash)
      if (next === fallback) query.delete(name)
      else query.set(name, next)
      const rest = query.toString()
      window.history.replaceState(null, '', `#${way || '/'}${rest && `?${rest}`}`)
      for (const listener of listeners) listener()
    },
    [name, fallback],
  )
  return [value, change]
}

/** Kept when only the task beside a view changes. */
export function currentQuery(): string {
  return queryOf(window.location.hash).toString()
}

function queryOf(hash: string): URLSearchParams {
  return new URLSearchParams(hash.split('?')[1] ?? '')
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('hashchange', listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('hashchange', listener)
    window.removeEventListener('popstate', listener)
  }
}
