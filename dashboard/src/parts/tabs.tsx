// Links to the views of one thing. The one that is shown is in sight, also where there is no room for all.
import { useEffect, useRef } from 'react'

export type Tab = {
  href: string
  title: string
  isShown: boolean
  count?: number | undefined
  key?: string | undefined
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  const shown = tabs.find(({ isShown }) => isShown)?.title
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is in sight then
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown])
  return (
    <nav ref={nav} className="tabs" aria-label={label}>
      {tabs.map(({ href, title, isShown, count, key }) => (
        <a
          key={title}
          href={href}
          aria-current={isShown ? 'page' : undefined}
          title={key ? `${title} (${key})` : title}
        >
          {title}
          {count !== undefined && count > 0 && <span className="count">{count}</span>}
        </a>
      ))}
    </nav>
  )
}
