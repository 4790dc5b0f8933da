import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

export interface TestMcpServer {
  url: string
  /** the calls of its tools */
  calls: { tool: string; input: unknown }[]
  /** replaces its tools, and declares which are read-only */
  offer(tools: Record<string, (input: { order: string }) => string>, readsOnly?: readonly string[]): void
  close(): Promise<void>
}

/**
 * An MCP server whose tools take an `order`, made with the protocol's own library, on a free port. @param token the
 * required one
 */
export async function startMcpServer(token: string | null = null): Promise<TestMcpServer> {
  const calls: TestMcpServer['calls'] = []
  let tools: Parameters<TestMcpServer['offer']>[0] = {}
  let reading: readonly string[] = []
  const http = createServer(async (request, response) => {
    if (token !== null && request.headers.authorization !== `Bearer ${token}`)
      return response.writeHead(401).end('Send a key.')
    const server = new McpServer({ name: 'shop', version: '1.0.0' })
    for (const [name, answer] of Object.entries(tools)) {
      const annotations = { readOnlyHint: reading.includes(name) }
      const config = { description: `Says: ${name}`, inputSchema: { order: z.string() }, annotations }
      server.registerTool(name, config, (input) => {
        calls.push({ tool: name, input })
        return { content: [{ type: 'text', text: answer(input) }] }
      })
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport as Parameters<McpServer['connect']>[0])
    response.on('close', () => void server.close())
    await transport.handleRequest(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    offer(next, readsOnly = []) {
      tools = next
      reading = readsOnly
    },
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}
