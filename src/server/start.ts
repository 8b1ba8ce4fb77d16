// Starting the server, which is loaded only here: nothing else needs a web server to be quick to load.
import type { Result } from '../problem.ts'
import type { ServeOptions, Serving } from './serve.ts'

export async function startServer(options: ServeOptions): Promise<Result<Serving>> {
  const { serve } = await import('./serve.ts')
  return serve(options)
}
