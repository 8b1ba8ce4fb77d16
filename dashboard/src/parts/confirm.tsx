// A button that asks before it does what cannot be taken back.
import { type ReactNode, useState } from 'react'
import { type Key, useKeys } from '../app/keyboard.ts'
import { Dialog } from './dialog.tsx'

type Props = {
  label: ReactNode
  question: string
  /** What will happen. */
  children: ReactNode
  yes: string
  onYes: () => void
  isBusy?: boolean
  className?: string
  title?: string
  /** Asks the same. */
  shortcut?: Omit<Key, 'run'>
}

export function ConfirmButton(props: Props) {
  const { label, question, children, yes, onYes, isBusy = false, className, title, shortcut } = props
  const [isOpen, setOpen] = useState(false)
  useKeys(shortcut && !isBusy ? [{ ...shortcut, run: () => setOpen(true) }] : [])
  return (
    <>
      <button type="button" className={className} title={title} disabled={isBusy} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog title={question} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="confirm">
          {children}
          <div className="buttons">
            <button type="button" onClick={() => setOpen(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                setOpen(false)
                onYes()
              }}
            >
              {yes}
            </button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
