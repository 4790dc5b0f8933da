import { Agent, request } from 'node:http'

/** Calls one server over keep-alive connections with minimal overhead: for measurements. */
export function createCaller(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = <Data>(path: string, body: unknown, token = ''): Promise<Data> =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        authorization: `Bearer ${token}`,
      }
      const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve((JSON.parse(answer) as { data: Data }).data)
          else reject(new Error(`${path}: ${response.statusCode} ${answer}`))
        })
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(text)
    })
  return { call, close: () => agent.destroy() }
}
