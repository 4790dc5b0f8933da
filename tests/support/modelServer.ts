import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AiSettings } from '../../server/ai/settings'

/** What a chat completion was asked with. */
export interface ModelCall {
  path: string
  authorization: string | undefined
  body: {
    model: string
    temperature?: number
    messages: { role: string; content: string }[]
    response_format?: { type: string; json_schema?: { schema: Record<string, unknown> } }
  }
}

/** A text is the model's answer; a function answers by itself, or leaves the call open. */
export type ModelAnswer = string | ((response: ServerResponse, call: ModelCall) => void)

export interface ModelServer {
  settings: AiSettings
  calls: ModelCall[]
  /** what the next calls are answered with, in turn; the last one stays */
  answers(...answers: ModelAnswer[]): void
  close(): Promise<void>
}

/** A server that speaks the OpenAI protocol as far as chats need it, on a free port of this machine. */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = []
  let queue: ModelAnswer[] = ['Hello.']
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const call = { path: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(text) }
    calls.push(call)
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? ''
    if (typeof answer === 'string') sendAnswer(response, answer)
    else answer(response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'secret-key', model: 'small' },
    calls,
    answers(...answers) {
      calls.splice(0)
      queue = answers
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendAnswer(response: ServerResponse, content: string): void {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'small', choices, usage }))
}

/** A refusal in the protocol's words; another try may come at once. */
export const refuse =
  (status: number, message = 'It failed.'): ModelAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(JSON.stringify({ error: { message, type: 'error', code: null, param: null } }))
  }

/** Takes the question and never answers. */
export const stall: ModelAnswer = () => undefined
