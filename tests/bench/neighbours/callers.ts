import { randomUUID } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { registry } from '../../../blocks/registry'
import { createCountingIds } from '../../../engine/flow/ids'
import { type Block, emptyFlow } from '../../../engine/flow/schema'
import { createChatbot } from '../../../server/contracts/chatbots'
import { publishFlow } from '../../../server/contracts/flows'
import { listProjects } from '../../../server/contracts/projects'
import type { TestClient } from '../../support/client'

const CALLERS = 2_000
/** of all callers together; the bench ends it earlier */
const MOST_CALLS = 500_000
/** s before one who was refused calls again, where it is not told */
const REFUSED = 2
/** ms: whoever waits to be let in gives up later than the bench ends */
const CONNECT_MS = 60_000

/** Thousands of visitors who all begin at once, again and again, from as many addresses of this machine (127.0.0.2 and following). */
function callers(name: string, heeds: boolean, addresses: number) {
  return {
    name,
    async start({ baseUrl, client }: { baseUrl: string; client: TestClient }) {
      const slug = await publishSimple(client)
      let going = true
      let calls = 0
      const agents = Array.from(
        { length: addresses },
        (_, n) => new Agent({ localAddress: `127.0.0.${n + 2}`, connect: { timeout: CONNECT_MS } }),
      )
      const caller = async (n: number) => {
        while (going && calls++ < MOST_CALLS) {
          const answer = await fetch(`${baseUrl}/api/chat/${slug}/conversations`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ client_id: randomUUID() }),
            dispatcher: agents[n % addresses] as Agent,
          }).catch(() => null)
          await answer?.arrayBuffer().catch(() => null)
          if (answer?.ok || (answer && !heeds)) continue
          const seconds = Number(answer?.headers.get('retry-after') ?? REFUSED)
          await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
        }
      }
      const calling = Array.from({ length: CALLERS }, (_, n) => caller(n))
      return {
        async stop() {
          going = false
          await Promise.all(calling)
        },
      }
    },
  }
}

export const callersCase = callers('2,000 callers who come back when told', true, 1)
export const spreadCallersCase = callers('2,000 callers of 100 addresses who come back when told', true, 100)
export const rudeCallersCase = callers('2,000 callers who come back at once', false, 1)
export const rudeSpreadCallersCase = callers('2,000 callers of 100 addresses who come back at once', false, 100)

/** Publishes a chatbot that asks one thing, and gives its address. */
export async function publishSimple(client: TestClient): Promise<string> {
  const ids = createCountingIds('b')
  const block = (id: string, kind: string): Block => {
    const definition = registry.get(kind)
    return { id, kind, version: definition.migrations.length, data: definition.defaults(ids) as Block['data'] }
  }
  const blocks = [block('start', 'start'), block('ask', 'text-input')]
  const flow = { ...emptyFlow(), groups: [{ id: 'g', title: 'Hello', position: { x: 0, y: 0 }, blocks }] }
  const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
  const { chatbot } = await client.call(createChatbot, {
    params: { pgid },
    body: { name: 'Simple', source: JSON.stringify(flow) },
  })
  await client.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
  return chatbot.slug
}
