// Keys as they are pressed, for as long as a view has them. The terminal is given back as it was, also when the process ends
// in any other way.
import { keysIn } from '../live/keys.ts'
import type { Input } from '../surroundings.ts'

export function readKeys(input: Input, onKey: (key: string) => void): Disposable {
  const onData = (data: Buffer | string) => {
    for (const key of keysIn(String(data))) onKey(key)
  }
  const close = () => {
    process.removeListener('exit', close)
    input.removeListener('data', onData)
    input.setRawMode?.(false)
    input.pause()
  }
  input.setRawMode?.(true)
  input.on('data', onData)
  input.resume()
  input.unref?.() // a key that is never pressed keeps no process alive
  process.once('exit', close)
  return { [Symbol.dispose]: close }
}
