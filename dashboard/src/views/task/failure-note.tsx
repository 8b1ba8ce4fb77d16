// Why something did not succeed: the line that says it first, then the rest.
import { type Failure, messageParts, tellingLine } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'

export function FailureNote({ failure }: { failure: Failure }) {
  const { hrefOfTask } = useRun()
  const { said, output } = messageParts(failure.message)
  const told = tellingLine(output)
  return (
    <div className="fail">
      <p>
        <span className="tag">{failure.reason}</span> {told ?? said}
      </p>
      {told !== null && <p className="soft">{said}</p>}
      {failure.cause && (
        <p>
          because of <a href={hrefOfTask(failure.cause)}>{failure.cause}</a>
        </p>
      )}
      {failure.paths && failure.paths.length > 0 && (
        <ul className="paths mono">
          {failure.paths.slice(0, MOST_PATHS).map((path) => (
            <li key={path}>{path}</li>
          ))}
          {failure.paths.length > MOST_PATHS && <li>and {failure.paths.length - MOST_PATHS} more</li>}
        </ul>
      )}
      {output !== '' && (
        <details>
          <summary>What was printed</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{output}</pre>
        </details>
      )}
    </div>
  )
}

const MOST_PATHS = 20
