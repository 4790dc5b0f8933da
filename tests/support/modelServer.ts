import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AiSettings } from '../../server/platform/config/aiSettings'
import { type ModelProtocol, type ModelProtocolName, type ModelSays, modelProtocols } from './modelProtocols'

/** A request to a model; the body as in chat completions. */
export interface ModelCall {
  path: string
  authorization: string | undefined
  headers: Record<string, string | string[] | undefined>
  body: {
    model: string
    temperature?: number
    stream?: boolean
    messages: { role: string; content: string }[]
    response_format?: { type: string; json_schema?: { schema: Record<string, unknown> } }
    /** for embeddings */
    input?: string[]
  }
}

/** A text is the model's answer; an object may call a tool; a function answers by itself, or leaves the call open. */
export type ModelAnswer = string | ModelSays | AnswerByItself
type AnswerByItself = (response: ServerResponse, call: ModelCall, speak: Speak) => void
/** The server's protocol, and whether a stream was requested. */
interface Speak {
  protocol: ModelProtocol
  streamed: boolean
}

export interface ModelServer {
  settings: AiSettings
  /** requests to a model; neither lists nor embeddings */
  calls: ModelCall[]
  /** all others */
  others: ModelCall[]
  /** sets the answers of the next calls; the last one is repeated */
  answers(...answers: ModelAnswer[]): void
  /** the only accepted key; null: any */
  wants(key: string | null): void
  /** sets the vector of each text; default: similar for texts that begin alike */
  embeds(vectorOf: (text: string) => number[]): void
  close(): Promise<void>
}

/** A server that speaks a provider's protocol as far as chats need it, on a free port. */
export async function startModelServer(name: ModelProtocolName = 'openai-compatible'): Promise<ModelServer> {
  const protocol = modelProtocols[name]
  const calls: ModelCall[] = []
  const others: ModelCall[] = []
  let queue: ModelAnswer[] = ['Hello.']
  let wanted: string | null = null
  let vectorOf = (text: string) => [0, 1, 2].map((at) => (text.codePointAt(at) ?? 32) / 100)
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { headers, url: path = '' } = request
    const call = { path, authorization: headers.authorization, headers, body: text === '' ? {} : JSON.parse(text) }
    const speak = { protocol, streamed: call.body.stream === true || path.includes('stream') }
    const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
    const isQuestion = !/\/models(\?|$)|[Ee]mbed/.test(path)
    ;(isQuestion ? calls : others).push(call)
    if (wanted !== null && key !== wanted) return answerWith(refuseKey(name, key), response, call, speak)
    if (/\/models(\?|$)/.test(path)) return sendJson(response, 200, protocol.list)
    if (/[Ee]mbed/.test(path)) return sendJson(response, 200, embedded(call.body, vectorOf))
    answerWith((queue.length > 1 ? queue.shift() : queue[0]) ?? '', response, call, speak)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'secret-key', model: 'small' },
    calls,
    others,
    answers(...answers) {
      calls.splice(0)
      others.splice(0)
      queue = answers
    },
    wants(key) {
      wanted = key
    },
    embeds(how) {
      vectorOf = how
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerWith(answer: ModelAnswer, response: ServerResponse, call: ModelCall, speak: Speak): void {
  if (typeof answer === 'function') {
    answer(response, call, speak)
    return
  }
  const says = typeof answer === 'string' ? { text: answer } : answer
  if (speak.streamed) {
    const { pieces, end } = speak.protocol.events(says)
    beginStream(response)
    response.end([...pieces, ...end].join(''))
  } else sendJson(response, 200, speak.protocol.whole(says))
}

const beginStream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // allows an immediate retry
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
  response.end(JSON.stringify(body))
}

/** An OpenAI-compatible server's response without a stream. */
export const sendAnswer = (response: ServerResponse, content: string): void =>
  sendJson(response, 200, modelProtocols['openai-compatible'].whole({ text: content }))

/** A refusal in the protocol's format; allows an immediate retry. */
export const refuse =
  (status: number, message = 'It failed.'): AnswerByItself =>
  (response, _call, { protocol }) =>
    sendJson(response, status, protocol.refusal(status, message))

/** Busy for some seconds. */
export const busy =
  (seconds: string): AnswerByItself =>
  (response, _call, { protocol }) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': seconds })
    response.end(JSON.stringify(protocol.refusal(429, 'Too many requests')))
  }

/** Google's is a 400. */
const refuseKey = (name: ModelProtocolName, key: unknown): AnswerByItself =>
  name === 'google' ? refuse(400, `API key not valid: ${key}`) : refuse(401, `Incorrect API key: ${key}`)

/** Accepts the request and never answers. */
export const stall: AnswerByItself = () => {}

/** Starts a stream and then sends nothing more: the connection stays open, breaks, or ends normally. */
export const begin =
  (text: string, then: 'stays' | 'breaks' | 'ends'): AnswerByItself =>
  (response, _call, { protocol }) => {
    beginStream(response)
    response.write(protocol.events({ text }).pieces.join(''), () => {
      if (then === 'breaks') response.destroy()
      if (then === 'ends') response.end()
    })
  }

function embedded({ input = [] }: ModelCall['body'], vectorOf: (text: string) => number[]) {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
  return { object: 'list', data, model: 'embedder', usage: { prompt_tokens: 1, total_tokens: 1 } }
}
