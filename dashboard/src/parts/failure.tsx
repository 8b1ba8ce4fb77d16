// What could not be shown, and why.
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
