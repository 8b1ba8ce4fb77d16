// A table that may be wider than its place: then it scrolls, and the keyboard can get there.
import { type ReactNode, useEffect, useRef, useState } from 'react'

export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const look = () => setWide(element.scrollWidth > element.clientWidth)
    const size = new ResizeObserver(look)
    size.observe(element)
    for (const child of element.children) size.observe(child)
    return () => size.disconnect()
  }, [])
  const scrolls = isWide ? { tabIndex: 0, role: 'region', 'aria-label': label } : {}
  return (
    <div ref={place} className="table-scroll" {...scrolls}>
      {children}
    </div>
  )
}
