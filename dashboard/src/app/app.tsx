import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Data, DataContext } from '../data/source.ts'
import { listenForKeys } from './keyboard.ts'
import { Shell } from './shell.tsx'

export function App({ data }: { data: Data }) {
  useEffect(listenForKeys, [])
  return (
    <DataContext value={data}>
      <QueryClientProvider client={data.queries}>
        <Shell />
      </QueryClientProvider>
    </DataContext>
  )
}
