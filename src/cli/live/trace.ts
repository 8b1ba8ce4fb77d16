// The trace of a run, where the environment names a collector: loaded only then.
import { readFileSync } from 'node:fs'
import type { Run } from '../../engine/run/run.ts'
import { packageFile } from '../../files/package-file.ts'
import { sendTrace } from '../../reports/traces/start.ts'
import type { Surroundings } from '../surroundings.ts'

/** Null: nobody asked for one. */
export async function startTrace(run: Run, since: number, { env, err }: Surroundings): Promise<AsyncDisposable | null> {
  if (!isWanted(env)) return null
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol !== undefined && protocol !== '' && !protocol.startsWith('http/')) {
    err.write(`no trace is sent: OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and only http/json is spoken here\n`)
    return null
  }
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return sendTrace(run, { since, version })
}

function isWanted({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  OTEL_TRACES_EXPORTER,
  OTEL_SDK_DISABLED,
}: Surroundings['env']): boolean {
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}
