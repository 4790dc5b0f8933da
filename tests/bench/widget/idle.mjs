// Idle chats, each with a stream of its own, and what is published meanwhile.
import { readFileSync } from 'node:fs'
import http from 'node:http'

const AT_ONCE = 20
const PATIENCE_MS = 60_000
/** What the conversations' beginnings have left is collected once the process has nothing to do. */
const REST_MS = 75_000

/**
 * Opens as many chats as are wanted, of one chatbot, and publishes its look and its flow to them.
 * @param chatbot its path in the API, external id and flow
 */
export async function holdIdle(app, client, { base, egid, fid }, most) {
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))[1]) / 1024
  const before = memory()
  const { hostname, port } = new URL(app.url)
  // each address may have five hundred streams, and each pair of addresses some thirty thousand connections
  const from = (n) => ({ hostname, port, localAddress: `127.0.${1 + Math.floor(n / 20_000)}.${1 + (n % 100)}` })
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const streams = []
  let heard = 0

  async function open(n) {
    const started = await post(
      { ...from(n), agent, path: `/api/chat/@${egid}/conversations` },
      { client_id: `idle-${String(n).padStart(8, '0')}` },
    )
    const { token, conversation } = started.data
    await new Promise((done, fail) => {
      const path = `/api/chat/@${egid}/conversations/${conversation.id}/events?token=${token}`
      const request = http.get({ ...from(n), agent: false, path }, (response) => {
        if (response.statusCode !== 200) return fail(new Error(`A stream was answered ${response.statusCode}`))
        response.setEncoding('utf8').on('data', (text) => {
          if (text.includes('event: published')) heard++
        })
        return done()
      })
      request.on('error', fail)
      streams.push(request)
    })
  }

  async function reach(publish) {
    heard = 0
    const began = performance.now()
    const answered = publish().then(() => performance.now() - began)
    while (heard < most && performance.now() - began < PATIENCE_MS) await new Promise((done) => setTimeout(done, 10))
    const took = performance.now() - began
    return { reached: heard, 'all ms': Math.round(took), 'answered ms': Math.round(await answered) }
  }

  for (let n = 0; n < most; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, most - n) }, (_, at) => open(n + at)))
  const connected = memory()
  await new Promise((done) => setTimeout(done, REST_MS))
  const idle = memory()
  const { draft, revision } = (await client.send('GET', `${base}/web/look`)).body.data
  const saved = (await client.send('POST', `${base}/web/look`, { look: draft, revision })).body.data
  const look = await reach(() => client.send('POST', `${base}/web/look/publish`, { revision: saved.revision }))
  const flow = await reach(() => client.send('POST', `${base}/flows/${fid}/publish`, {}))
  const published = memory()
  const mb = (value) => `${value.toFixed(0)} MB`
  console.log(`\n${most} chats connected to one process, each begun before: ${mb(before)} before the first of them,`)
  console.log(
    `${mb(connected)} with the last, ${mb(idle)} when they had been idle for ${REST_MS / 1_000} s, ${mb(published)} after publishing.`,
  )
  console.log('Until all had heard of what was published:')
  console.table({ look, flow })
  for (const stream of streams) stream.destroy()
}

function post(options, body) {
  return new Promise((done, fail) => {
    const request = http.request(
      { ...options, method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        response.on('end', () => (response.statusCode === 200 ? done(JSON.parse(text)) : fail(new Error(text))))
      },
    )
    request.on('error', fail)
    request.end(JSON.stringify(body))
  })
}
