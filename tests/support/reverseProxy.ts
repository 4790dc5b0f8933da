import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReverseProxy {
  /** the app's address through this proxy */
  url: string
  /** answers with that status from now on, as nginx does while the app restarts; open connections are cut */
  down: (status: number, headers?: Record<string, string>) => void
  up: () => void
  /** the requests: `POST /path 502` */
  answers: string[]
  /** forwards the next call of that method, but cuts the connection instead of returning its response */
  loseAnswer: (method: string) => void
  close: () => void
}

/** A reverse proxy, as in most deployments. */
export async function startReverseProxy(appUrl: string): Promise<ReverseProxy> {
  const { hostname, port } = new URL(appUrl)
  const answers: string[] = []
  const open = new Set<ServerResponse>()
  let refusal: { status: number; headers: Record<string, string> } | null = null
  let losing: string | null = null

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const loses = incoming.method === losing
    if (loses) losing = null
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers }, (reply) => {
      if (loses) return void reply.resume().on('end', () => answer.destroy())
      answers.push(`${method} ${path?.split('?')[0]} ${reply.statusCode}`)
      answer.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, answer) => {
    open.add(answer)
    answer.on('close', () => open.delete(answer))
    if (!refusal) return pass(incoming, answer)
    answers.push(`${incoming.method} ${incoming.url?.split('?')[0]} ${refusal.status}`)
    incoming.resume()
    answer.writeHead(refusal.status, { 'content-type': 'text/html', ...refusal.headers }).end('<h1>Bad Gateway</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    down(status, headers = {}) {
      refusal = { status, headers }
      for (const answer of open) answer.destroy()
    },
    up() {
      refusal = null
    },
    loseAnswer(method) {
      losing = method
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
