import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChatbot } from '../../../server/contracts/chatbots'
import { listProjects } from '../../../server/contracts/projects'
import { addToolServer } from '../../../server/contracts/tool-servers'
import { pathOf, type TestClient } from '../../support/client'

const PROPERTIES = 20_000
const AT_ONCE = 4
const MOST_ROUNDS = 2_000

/** A server of tools whose schemas are as large as they get, set up again and again. */
export const toolServerCase = {
  name: 'tool server',
  async start({ client }: { baseUrl: string; client: TestClient }) {
    const tools = await hostileServer()
    const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
    const { chatbot } = await client.call(createChatbot, { params: { pgid }, body: { name: 'Tools' } })
    const path = pathOf(addToolServer.path, { pgid, cgid: chatbot.gid })
    let going = true
    const loops = Array.from({ length: AT_ONCE }, async (_, loop) => {
      for (let n = 0; going && n < MOST_ROUNDS; n++) {
        const url = `${tools.url}/${loop}/${n}`
        await client.send('POST', path, { name: 'Hostile', url, token: '' }).catch(() => null)
      }
    })
    return {
      async stop() {
        going = false
        await Promise.all(loops)
        tools.close()
      },
    }
  },
}

async function hostileServer() {
  const properties = Object.fromEntries(
    Array.from({ length: PROPERTIES }, (_, n) => [`p${n}`, { type: 'string', pattern: `^(a+)+${n}$` }]),
  )
  const schema = { type: 'object', properties }
  const offered = JSON.stringify([{ name: 'tool', inputSchema: { type: 'object' }, outputSchema: schema }])
  const hostileInput = JSON.stringify([{ name: 'tool', inputSchema: schema }])
  let asked = 0
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = JSON.parse(text) as { id?: number; method?: string }
    if (id === undefined) return response.writeHead(202).end()
    const greeting = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    }
    const result =
      method === 'initialize' ? JSON.stringify(greeting) : `{"tools":${asked++ % 2 ? offered : hostileInput}}`
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}
