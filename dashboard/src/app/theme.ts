// Light, dark, or as the system has it. Kept in this browser.
import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const NAME = 'espalier-theme'
const listeners = new Set<() => void>()
let theme: Theme = read()
show()

export function useTheme(): [Theme, () => void] {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )
  return [now, nextTheme]
}

export function nextTheme(): void {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  try {
    localStorage.setItem(NAME, theme)
  } catch {
    // a file, or a browser that keeps nothing
  }
  show()
  for (const listener of listeners) listener()
}

function read(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(NAME)) ?? 'system'
  } catch {
    return 'system'
  }
}

function show(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
