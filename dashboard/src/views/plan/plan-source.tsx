// Which plan, and what is wrong with it, beside the line it is about.
import { useId, useRef } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import type { Answer } from '../../shared.ts'

type Check = Answer<'plans.check'>
export type Written = { text: string; name: string }

type Props = {
  files: readonly { file: string; title: string }[]
  choice: string
  onChoose: (choice: string) => void
  written: Written
  onWrite: (written: Written) => void
  /** Null: nothing was checked yet. */
  check: Check | null
  isChecking: boolean
}

const OWN = '-'
const MOST_CHARS = 8 << 20

export function PlanSource({ files, choice, onChoose, written, onWrite, check, isChecking }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  useKeys([
    { keys: 'o', what: 'Open a plan from a file', run: () => picker.current?.click(), group: 'Plan' },
    { keys: 'f', what: 'Choose a plan of the repository', run: () => select.current?.focus(), group: 'Plan' },
  ])
  const take = async (file: File | undefined) => {
    if (file && file.size <= MOST_CHARS) onWrite({ text: await file.text(), name: file.name })
  }
  return (
    <section className="panel" aria-label="Which plan">
      <div className="inline">
        <label className="inline">
          <span className="soft">Plan</span>
          <select ref={select} value={choice} onChange={({ target }) => onChoose(target.value)}>
            {files.map(({ file, title }) => (
              <option key={file} value={file}>
                {title && title !== file ? `${file}: ${title}` : file}
              </option>
            ))}
            <option value={OWN}>paste a plan …</option>
          </select>
        </label>
        <input
          ref={picker}
          type="file"
          className="only-heard"
          tabIndex={-1}
          aria-label="A plan file of this machine"
          onChange={({ target }) => {
            void take(target.files?.[0])
            target.value = ''
          }}
        />
        <button type="button" onClick={() => picker.current?.click()} title="o">
          Open a file …
        </button>
        <span className="grow" />
        <Standing check={check} isChecking={isChecking} />
      </div>
      {choice === OWN ? (
        <Editor written={written} onWrite={onWrite} onDrop={take} check={check} />
      ) : (
        check && <Problems check={check} onGo={null} />
      )}
      {check && <Remarks check={check} />}
    </section>
  )
}

function Standing({ check, isChecking }: { check: Check | null; isChecking: boolean }) {
  const errors = check?.problems.filter(({ severity }) => severity === 'error').length ?? 0
  return (
    <span role="status" className={check ? (check.ok ? 'good' : 'bad') : 'soft'}>
      {isChecking && !check && 'Checking …'}
      {check?.ok && `✓ Plan OK: ${check.tasks ?? 0} tasks${check.done ? `, ${check.done} done` : ''}`}
      {check && !check.ok && `✗ ${errors} ${errors === 1 ? 'problem' : 'problems'} to fix`}
      {check?.format && <span className="soft"> · {check.format}</span>}
    </span>
  )
}

type EditorProps = {
  written: Written
  onWrite: (written: Written) => void
  onDrop: (file: File | undefined) => Promise<void>
  check: Check | null
}

function Editor({ written, onWrite, onDrop, check }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const label = useId()
  const byLine = Map.groupBy(check?.problems ?? [], ({ line }) => line ?? 0)
  const count = Math.min(written.text.split('\n').length, MOST_NUMBERS)
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const goTo = (line: number) => {
    const start =
      written.text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    const end = written.text.indexOf('\n', start)
    area.current?.focus()
    area.current?.setSelectionRange(start, end < 0 ? written.text.length : end)
    if (area.current) area.current.scrollTop = Math.max(0, (line - 5) * LINE_HEIGHT)
  }
  return (
    <>
      <div className="editor">
        <div ref={gutter} className="gutter mono" aria-hidden="true">
          {numbers.map((number) => {
            const problems = byLine.get(number)
            return (
              <div
                key={number}
                className={problems ? 'bad' : ''}
                title={problems?.map(({ message }) => message).join('\n')}
              >
                {problems ? '✗ ' : ''}
                {number}
              </div>
            )
          })}
        </div>
        <textarea
          ref={area}
          id={label}
          aria-label="The plan"
          spellCheck={false}
          wrap="off"
          placeholder="Paste a plan in any format: YAML, JSON, Markdown, TOML …"
          value={written.text}
          aria-invalid={check ? !check.ok : undefined}
          onChange={({ target }) => onWrite({ ...written, text: target.value })}
          onScroll={({ currentTarget }) => {
            if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
          }}
          onDrop={(event) => {
            const [file] = event.dataTransfer.files
            if (!file) return
            event.preventDefault()
            void onDrop(file)
          }}
        />
      </div>
      {check && <Problems check={check} onGo={goTo} />}
    </>
  )
}

const LINE_HEIGHT = 19
const MOST_NUMBERS = 20_000

function Problems({ check, onGo }: { check: Check; onGo: ((line: number) => void) | null }) {
  if (check.problems.length === 0) return null
  return (
    <ul className="problems">
      {check.problems.map(({ file, line, column, message, severity }) => (
        <li key={`${line} ${column} ${message}`} className="wrap">
          <b className={severity === 'error' ? 'bad' : 'warn'}>{severity}</b>{' '}
          {line !== null && onGo ? (
            <button type="button" className="plain" onClick={() => onGo(line)}>
              line {line}
              {column !== null && `:${column}`}
            </button>
          ) : (
            <code>{[file?.split('/').slice(-2).join('/'), line, column].filter((part) => part != null).join(':')}</code>
          )}{' '}
          {message}
        </li>
      ))}
    </ul>
  )
}

function Remarks({ check: { assumed = [], ignored = [], skipped = [] } }: { check: Check }) {
  const remarks = [
    ...assumed.map(({ message, line }) => ({ kind: 'assumed', message, line })),
    ...ignored.map(({ message, line }) => ({ kind: 'ignored', message, line })),
    ...skipped.map((message) => ({ kind: 'skipped', message, line: null })),
  ]
  if (remarks.length === 0) return null
  return (
    <details className="remarks">
      <summary className="soft">
        {remarks.length} {remarks.length === 1 ? 'remark' : 'remarks'} of how it was read
      </summary>
      <ul>
        {remarks.map(({ kind, message, line }) => (
          <li key={`${kind} ${line} ${message}`} className="wrap">
            <span className="soft">
              {kind}
              {line != null && `, line ${line}`}
            </span>{' '}
            {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
