/** Resolves like `promise`; rejects at once if the signal comes first. */
export async function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: released, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([promise, released])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
