// The error of a refused call.
import type { RefusalBody } from '../resources/refusal.ts'

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export class Refused extends Error {
  readonly status: number
  /** Listed in `/api/docs`. `unknown`: another program answered. */
  readonly reason: RefusalBody['reason'] | 'unknown'
  readonly problems: NonNullable<RefusalBody['problems']>

  constructor(status: number, body: Partial<RefusalBody>) {
    super(body.detail ?? `the server answered with status ${status}`)
    this.name = 'Refused'
    this.status = status
    this.reason = body.reason ?? 'unknown'
    this.problems = body.problems ?? []
  }
}

export async function refusedBy(response: Response): Promise<Refused> {
  const body = await response.json().catch(() => ({}))
  return new Refused(response.status, body as Partial<RefusalBody>)
}
