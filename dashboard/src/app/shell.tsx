// The frame around every view: where one is, whether what is shown is current, and the keys.
import { Refused } from 'espalier/client'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { lastSaid, subscribeSaid } from '../data/actions.ts'
import { useServer } from '../data/queries.ts'
import { useData } from '../data/source.ts'
import { Failure } from '../parts/failure.tsx'
import { RunView } from '../views/run/run-view.tsx'
import { ProjectView } from '../views/runs/project-view.tsx'
import { RunsView } from '../views/runs/runs-view.tsx'
import { CurrentSign } from './current-sign.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { useKeys } from './keyboard.ts'
import { LoginNote } from './login-note.tsx'
import { go, hrefTo, type Place, usePlace } from './router.ts'
import { nextTheme, useTheme } from './theme.ts'

export function Shell() {
  const place = usePlace()
  const server = useServer()
  const [isHelp, setHelp] = useState(false)
  useKeys([
    { keys: '?', what: 'Show the keys', run: () => setHelp(true), group: 'Everywhere' },
    { keys: 'g h', what: 'Go to all runs', run: () => go({ kind: 'home' }), group: 'Everywhere' },
    { keys: 'T', what: 'Change between light and dark', run: nextTheme, group: 'Everywhere' },
  ])
  const isOut = server.error instanceof Refused && server.error.status === 401
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to what is shown
      </button>
      <TopBar place={place} onHelp={() => setHelp(true)} />
      <main id="main" tabIndex={-1}>
        {isOut ? (
          <LoginNote />
        ) : server.error && !server.data ? (
          <Failure error={server.error} onRetry={() => void server.refetch()} />
        ) : (
          <Suspense fallback={<p className="quiet pad">Loading …</p>}>
            <Shown place={place} />
          </Suspense>
        )}
      </main>
      <SaidNote />
      <HelpDialog isOpen={isHelp} onClose={() => setHelp(false)} />
    </>
  )
}

function Shown({ place }: { place: Place }) {
  switch (place.kind) {
    case 'home':
      return <RunsView />
    case 'project':
      return <ProjectView key={place.project} place={place} />
    case 'run':
      return <RunView key={`${place.project}/${place.run}`} place={place} />
    default:
      return place satisfies never
  }
}

function TopBar({ place, onHelp }: { place: Place; onHelp: () => void }) {
  const [theme, next] = useTheme()
  const { recording } = useData()
  const titles = titlesOf(place)
  const words = titles.map(([word]) => word).join(' · ')
  useEffect(() => {
    document.title = words === '' ? 'Espalier' : `${words} · Espalier`
  }, [words])
  return (
    <header className="top">
      <a className="brand" href={hrefTo({ kind: 'home' })} aria-label="Espalier: all runs">
        <Mark />
        <span>espalier</span>
      </a>
      <nav aria-label="Where you are" className="crumbs">
        {titles.map(([word, href], index) => (
          <a key={href} href={href} aria-current={index === titles.length - 1 ? 'page' : undefined}>
            {word}
          </a>
        ))}
      </nav>
      <span className="grow" />
      {recording ? null : <CurrentSign />}
      <button type="button" className="plain" onClick={next} title="Light or dark (T)">
        <span aria-hidden="true">{theme === 'light' ? '☼' : theme === 'dark' ? '☾' : '◐'}</span>
        <span className="only-heard">Colours: {theme}</span>
      </button>
      <button type="button" className="plain" onClick={onHelp} title="Keys (?)">
        <kbd>?</kbd>
        <span className="only-heard">Show the keys</span>
      </button>
    </header>
  )
}

function titlesOf(place: Place): [word: string, href: string][] {
  if (place.kind === 'home') return []
  const { project } = place
  const first: [string, string] = [project, hrefTo({ kind: 'project', project, view: null })]
  if (place.kind === 'project') return [first]
  return [first, [place.run, hrefTo({ ...place, task: null, part: null })]]
}

/** What an action came to, for a few seconds. */
function SaidNote() {
  const said = useSyncExternalStore(subscribeSaid, lastSaid)
  return (
    <div className="said" role="status" aria-live="polite">
      {said && (
        <p key={said.id} className={said.tone}>
          {said.text}
        </p>
      )}
    </div>
  )
}

function Mark() {
  return (
    <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M16 29V4M16 22c-7 0-11-4-11-11M16 22c7 0 11-4 11-11M16 14c-3 0-5-2-5-7M16 14c3 0 5-2 5-7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  )
}
