// The small process behind runner.ts: starts git for the engine. It ends when the engine does, however that ends;
// a git it has started goes on to its end.
import { type GitSpec, runGitProcess } from './process.ts'

process.on('message', async ({ id, spec }: { id: number; spec: GitSpec }) => {
  const end = await runGitProcess(spec)
  if (process.connected) process.send?.({ id, end })
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
