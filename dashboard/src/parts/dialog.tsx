// A dialog: the browser's own, which keeps the focus inside, closes with Escape, and gives the focus back.
import { type ReactNode, useEffect, useRef } from 'react'

type Props = { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }

export function Dialog({ title, isOpen, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) element.current?.showModal()
    else element.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={element}
      aria-label={title}
      onClose={onClose}
      onPointerDown={({ target, currentTarget }) => {
        if (target === currentTarget) onClose() // beside it
      }}
    >
      {isOpen && (
        <div className="dialog">
          <header>
            <h2>{title}</h2>
            <button type="button" className="plain" onClick={onClose} aria-label="Close">
              ✕
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
