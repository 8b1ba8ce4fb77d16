import { lineSplitter } from '../process/lines.ts'
import { followOutput } from '../process/output.ts'

/** What a command has printed in `dir`, and prints until the signal comes, line by line. */
export async function feedLines(dir: string, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  const splitter = lineSplitter()
  for await (const chunk of followOutput(dir, { signal })) splitter.push(chunk).forEach(take)
  splitter.end().forEach(take)
}
