// Answers about the server in a page without one.
import { PROTOCOL_VERSION } from '../resources/server.ts'
import type { Recording } from './recording.ts'

export function recordServer(recording: Recording, project: string, repo: string): void {
  const token = { id: 'file', name: 'this file', scope: 'read' } as const
  recording.put('server.get', {}, { name: 'espalier', version: '', protocol: PROTOCOL_VERSION, startedAt: 0, token })
  const one = { id: project, repo, stateDir: '', engine: null, cursor: '0', trouble: null }
  recording.put('projects.list', {}, { items: [one] })
}
