import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Json } from '../../../engine/values/json'
import { toolServerCaps } from '../../api/tool-servers/contract'
import type { Config } from '../../config'
import { OutsideError } from '../../outside/errors'
import { createOutsideStream } from '../../outside/outsideStream'
import type { OfferedTool } from '../../storage/toolServerTables'
import { refused, type ToolOutcome } from '../actions/agentTool'

/** How a server of tools is reached. */
export interface ToolServerAccess {
  url: string
  token: string | null
  /** a test asks: a header says so */
  isTest?: boolean
}
/** Why it could not be asked: `at` names the field that is to be mended. */
export interface ToolServerProblem {
  at: 'url' | 'token'
  message: string
}

/** Most characters of a tool's description that a model is given. */
const DESCRIPTION = 1_000
const LIST_MS = 10_000

/** Speaks MCP over streamable HTTP with servers whose addresses editors gave: through the guard, a connection for each question. */
export function createToolServerClient(config: Pick<Config, 'outboundAllow'>) {
  const fetch = createOutsideStream({ allowed: config.outboundAllow })

  async function withClient<Value>(
    { url, token, isTest }: ToolServerAccess,
    signal: AbortSignal,
    ask: (client: Client) => Promise<Value>,
  ): Promise<Value> {
    // the protocol's library is large, and most chatbots use no server
    const [{ Client: McpClient }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ])
    const client = new McpClient({ name: 'parley', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: (address, init) =>
        fetch(address, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
      requestInit: {
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(isTest && { 'x-parley-test': '1' }),
        },
      },
    })
    try {
      // its optional callbacks are typed without `undefined`
      await client.connect(transport as Parameters<Client['connect']>[0], { signal })
      return await ask(client)
    } finally {
      await client.close().catch(() => undefined)
    }
  }

  return {
    /** What a server offers, or why it can't be asked. */
    async list(access: ToolServerAccess): Promise<{ tools: OfferedTool[] } | { problem: ToolServerProblem }> {
      try {
        const { tools } = await withClient(access, AbortSignal.timeout(LIST_MS), (client) => client.listTools())
        if (tools.length === 0) return { problem: { at: 'url', message: 'This server offers no tools.' } }
        return {
          tools: tools.slice(0, toolServerCaps.tools).map(({ name, title, description, inputSchema, annotations }) => ({
            name,
            title: title ?? name,
            description: (description ?? '').slice(0, DESCRIPTION),
            schema: inputSchema as Record<string, Json>,
            ...(annotations?.readOnlyHint === true && { reads_only: true }),
          })),
        }
      } catch (error) {
        return { problem: problemOf(error, access) }
      }
    },

    /** Uses a tool. What it answers is data for the model, whatever it says. */
    async call(
      access: ToolServerAccess,
      tool: string,
      input: Record<string, unknown>,
      signal: AbortSignal,
    ): Promise<ToolOutcome> {
      try {
        const { content, structuredContent, isError } = await withClient(access, signal, (client) =>
          client.callTool({ name: tool, arguments: input }, undefined, { signal }),
        )
        const text = (Array.isArray(content) ? content : [])
          .map((part: { type?: unknown; text?: unknown }) =>
            part.type === 'text' ? String(part.text) : `[${part.type}]`,
          )
          .join('\n')
        const answer = (structuredContent as Json | undefined) ?? text
        return isError === true
          ? { ok: false, answer: { ok: false, error: text }, detail: text }
          : { ok: true, answer, detail: text }
      } catch (error) {
        return refused(problemOf(error, access).message)
      }
    },
  }
}

/** In a sentence for the editor, in which no token stands. */
function problemOf(error: unknown, { url, token }: ToolServerAccess): ToolServerProblem {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutsideError) return { at: 'url', message: cause.message }
    // the protocol's library keeps the status there, and in its words only the server's own
    const status = 'code' in cause ? cause.code : null
    if (status === 401 || status === 403 || cause.name === 'UnauthorizedError')
      return {
        at: 'token',
        message:
          token === null ? 'This server wants a token. Enter it.' : 'This server does not take the token. Check it.',
      }
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError')
      return {
        at: 'url',
        message: `${new URL(url).host} did not answer within ${LIST_MS / 1000} seconds. Try again later.`,
      }
  }
  return {
    at: 'url',
    message: `${new URL(url).host} does not speak MCP over streamable HTTP at this address. Check the address; many end in /mcp.`,
  }
}
