// Listens on a port that no other entry has at the same time.
import { createServer } from 'node:http'

const server = createServer((_, response) => response.end('hello'))
server.listen(Number(process.env.PORT), '127.0.0.1', async () => {
  const { port } = server.address()
  const answer = await (await fetch(`http://127.0.0.1:${port}`)).text()
  server.close()
  process.exitCode = answer === 'hello' ? 0 : 1
})
