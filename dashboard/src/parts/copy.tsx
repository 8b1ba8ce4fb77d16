// A command to type, which a click copies.
import { useState } from 'react'

export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className="copy mono"
      title="Copy"
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
    >
      {text}
      <span className="soft">{isCopied ? ' copied' : ''}</span>
    </button>
  )
}
