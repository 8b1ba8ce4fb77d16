// The clients of server.ts: WebSockets that follow a run, and requests for its status.
import { Agent, get } from 'node:http'
import { WebSocket } from 'ws'

/** In ms. `wrong`: events that came twice or not at all. */
export type Seen = { latencies: number[]; answers: number[]; wrong: number; failed: number }

const [url = '', token = '', run = '', sockets = '0', requests = '0'] = process.argv.slice(2)
const headers = { authorization: `Bearer ${token}` }
const seen: Seen = { latencies: [], answers: [], wrong: 0, failed: 0 }
let isOver = false

await Promise.all(Array.from({ length: Number(sockets) }, connect))
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const timer = setInterval(ask, 1000 / Number(requests))
process.send?.('connected')

process.on('message', () => {
  isOver = true
  clearInterval(timer)
  process.send?.(seen)
})
process.on('disconnect', () => process.exit(0))

function connect(): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events?project=repo&run=${run}&view=journal`, {
    headers,
  })
  let last = 0
  socket.on('message', (data) => {
    const now = Date.now()
    const { event } = JSON.parse(String(data)) as { event?: { seq: number; at: number } }
    if (!event || isOver) return
    seen.latencies.push(now - event.at)
    if (last > 0 && event.seq !== last + 1) seen.wrong++
    last = event.seq
  })
  socket.on('error', () => seen.failed++)
  return new Promise((resolve) => socket.once('message', () => resolve()))
}

/** In turns: how the run stands, and the same in the words of the documents. */
function ask(): void {
  const start = performance.now()
  const paths = [`/api/projects/repo/runs/${run}`, '/api/projects/repo/parallel/status']
  const path = paths[seen.answers.length % paths.length]
  const request = get(`${url}${path}`, { agent, headers }, (response) => {
    response.resume()
    response.on('end', () => {
      if (response.statusCode !== 200) seen.failed++
      seen.answers.push(performance.now() - start)
    })
  })
  request.on('error', () => seen.failed++)
}
