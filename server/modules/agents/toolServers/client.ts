import { ReadableStream } from 'node:stream/web'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import { isJson } from '../../../../engine/values/json'
import { toolServerCaps } from '../../../contracts/tool-servers'
import { OutboundError } from '../../../platform/outbound/errors'
import { refused, type ToolOutcome } from '../actions/agentTool'
import { answersOnly } from './answersOnly'
import { OfferError, offerCaps, readOffer } from './offeredTools'
import type { OfferedTool } from './tables'

/** How to reach an MCP server. */
export interface ToolServerAccess {
  /** the project whose networks it may be in */
  projectId: string
  url: string
  token: string | null
  /** whether a test calls: a header says so */
  isTest?: boolean
}
/** Why a call failed: `at` names the field to correct. */
export interface ToolServerProblem {
  at: 'url' | 'token'
  message: string
}

const LIST_MS = 10_000
/** Limits of one operation: bytes received, and requests sent for it (pages, and those of the protocol). */
const MOST_BYTES = 500_000
const MOST_CALLS = 20
/** Parts of a tool's result; `toolSetOf` decides how much of them a model gets. */
const MOST_PARTS = 100
const MOST_DEPTH = 64

/**
 * Speaks MCP over streamable HTTP with user-given servers, one connection per operation.
 * @param streamOf a guarded fetch for a project (`createProjectStream`)
 */
export function createToolServerClient(streamOf: (projectId: string) => typeof globalThis.fetch) {
  /** @throws OfferError if the server sends too much, the signal's reason, and errors of the protocol's library */
  async function withClient<Value>(
    { projectId, url, token, isTest }: ToolServerAccess,
    signal: AbortSignal,
    ask: (request: (method: string, params: Record<string, unknown>) => Promise<unknown>) => Promise<Value>,
  ): Promise<Value> {
    // loaded on demand: the library is large, and most chatbots use no server
    const [{ Client: McpClient }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ])
    const fetch = streamOf(projectId)
    const flood = new AbortController()
    const end = AbortSignal.any([signal, flood.signal])
    const tooMuch = (what: string) =>
      flood.abort(new OfferError(`This server sends ${what}. Ask the people who run it, or use another server.`))
    const take = bounded(MOST_BYTES, () => tooMuch(`more than ${MOST_BYTES / 1e3} KB for one question`))
    let calls = 0
    const client = new McpClient({ name: 'parley', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: async (address, init) => {
        calls += 1
        if (calls > MOST_CALLS) tooMuch('its answer in too many pieces')
        return take(await fetch(address, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, end]) : end }))
      },
      requestInit: {
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(isTest && { 'x-parley-test': '1' }),
        },
      },
      // no reconnection: the whole operation is retried instead
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    })
    try {
      // its optional callbacks are typed without `undefined`
      const quiet = answersOnly(transport as Transport, () => tooMuch('much that nobody asked for'))
      await client.connect(quiet, { signal: end })
      // not by the client's own methods: those compile output schemas, which may take minutes
      return await ask((method, params) => client.request({ method, params }, z.looseObject({}), { signal: end }))
    } catch (error) {
      throw end.aborted ? end.reason : error
    } finally {
      await client.close().catch(() => undefined)
    }
  }

  return {
    /** Lists a server's tools, or says why that failed. */
    async list(access: ToolServerAccess): Promise<{ tools: OfferedTool[] } | { problem: ToolServerProblem }> {
      try {
        const tools = await withClient(access, AbortSignal.timeout(LIST_MS), async (request) => {
          const offered: OfferedTool[] = []
          let cursor: string | null = null
          for (let page = 0; page < offerCaps.pages; page++) {
            const answer: unknown = await request('tools/list', cursor === null ? {} : { cursor })
            const { tools: more, next } = readOffer(answer, toolServerCaps.tools - offered.length)
            offered.push(...more)
            cursor = next
            if (cursor === null || offered.length >= toolServerCaps.tools) break
          }
          return offered
        })
        if (tools.length === 0) return { problem: { at: 'url', message: 'This server offers no tools.' } }
        return { tools }
      } catch (error) {
        return { problem: problemOf(error, access) }
      }
    },

    /** Calls a tool. Its result is data for the model, whatever it says. */
    async call(
      access: ToolServerAccess,
      tool: string,
      input: Record<string, unknown>,
      signal: AbortSignal,
    ): Promise<ToolOutcome> {
      try {
        const answered = await withClient(access, signal, (request) =>
          request('tools/call', { name: tool, arguments: input }),
        )
        const { content, structuredContent, isError } = answered as Record<string, unknown>
        const text = (Array.isArray(content) ? content.slice(0, MOST_PARTS) : [])
          .map((part: { type?: unknown; text?: unknown } | null) =>
            part?.type === 'text' ? String(part.text) : `[${String(part?.type).slice(0, 50)}]`,
          )
          .join('\n')
        const structured = isJson(structuredContent, MOST_DEPTH) ? structuredContent : undefined
        return isError === true
          ? { ok: false, answer: { ok: false, error: text }, detail: text }
          : { ok: true, answer: structured ?? text, detail: text }
      } catch (error) {
        return refused(problemOf(error, access).message)
      }
    },
  }
}

/** Counts the bytes of several responses together, and ends them at more than `most`. */
function bounded(most: number, onMore: () => void): (response: Response) => Response {
  let left = most
  async function* counted(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) return onMore()
      yield chunk
    }
  }
  return ({ body, status, headers }) => {
    if (!body) return new Response(null, { status, headers })
    const bytes = ReadableStream.from(counted(body as unknown as AsyncIterable<Uint8Array>))
    // Node's stream type differs from that of browsers, which tests are checked with
    return new Response(bytes as unknown as string, { status, headers })
  }
}

/** A sentence for the editor, without the token. */
function problemOf(error: unknown, { url, token }: ToolServerAccess): ToolServerProblem {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError || cause instanceof OfferError) return { at: 'url', message: cause.message }
    // the library keeps the status there; its message contains only the server's text
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
