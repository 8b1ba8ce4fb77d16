// Links to the views of one thing.
export type Tab = {
  href: string
  title: string
  isShown: boolean
  count?: number | undefined
  key?: string | undefined
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
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
