// Where the data comes from: the server of the page, or what was recorded into it (`espalier report --html`). The rest of
// the app does not know which: both are the client of `espalier/client`.
import { QueryClient } from '@tanstack/react-query'
import { type Client, connect, Refused } from 'espalier/client'
import { createContext, useContext } from 'react'
import { type Recording, readRecording, recordedFetch } from './recorded.ts'

export type Data = {
  client: Client
  queries: QueryClient
  /** Of a page that was written to a file: nothing changes, and nothing can be done. */
  recording: Recording | null
}

export async function openData(): Promise<Data> {
  const recording = await readRecording()
  if (recording && window.location.hash.length <= 2) window.history.replaceState(null, '', `#${recording.start}`)
  return {
    client: connect(recording ? { url: '', fetch: recordedFetch(recording) } : { url: '' }),
    queries: new QueryClient({
      defaultOptions: {
        queries: {
          staleTime: recording ? Number.POSITIVE_INFINITY : 1_000,
          refetchOnWindowFocus: !recording,
          // What is refused stays refused; a server that is away comes back.
          retry: (failures, error) => !(error instanceof Refused && error.status < 500) && failures < 3,
        },
      },
    }),
    recording,
  }
}

export const DataContext = createContext<Data | null>(null)

export function useData(): Data {
  const data = useContext(DataContext)
  if (!data) throw new Error('there is no data around this part')
  return data
}
