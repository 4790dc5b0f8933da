import { randomUUID } from 'node:crypto'
import { registry } from '../../../blocks/registry'
import { createCountingIds } from '../../../engine/flow/ids'
import { type Block, emptyFlow } from '../../../engine/flow/schema'
import { createChatbot } from '../../../server/contracts/chatbots'
import { publishFlow } from '../../../server/contracts/flows'
import { listProjects } from '../../../server/contracts/projects'
import { addText } from '../../../server/contracts/sources'
import type { TestClient } from '../../support/client'

/** Who writes at once, and how many messages in all; the bench ends it earlier. */
const VISITORS = 4
const MOST_MESSAGES = 20_000
/** SPEC.md 9: as long as a message may be, in scripts that put no spaces between words. */
const MESSAGES = ['ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า', '我们的商店每天上午九点营业', 'a\u0301\u0323\u0301\u0323'].map((piece) =>
  piece.repeat(20_000).slice(0, 20_000),
)

/** Visitors whom nobody knows, who write as much as they may to a chatbot that answers from its sources. */
export const visitorCase = {
  name: 'messages of 20,000 characters',
  async start({ baseUrl, client }: { baseUrl: string; client: TestClient }) {
    const slug = await publishAnswering(client)
    const post = async (
      path: string,
      body: object,
      token?: string,
    ): Promise<{ data?: { token?: string; conversation?: { id: string } } }> => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await fetch(`${baseUrl}/api/chat/${slug}/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ client_id: randomUUID(), ...body }),
      }).catch(() => null)
      return (await answer?.json().catch(() => null)) ?? {}
    }
    let going = true
    let sent = 0
    const visitor = async () => {
      while (going && sent < MOST_MESSAGES) {
        const text = MESSAGES[sent++ % MESSAGES.length] ?? ''
        const { data } = await post('conversations', {})
        if (!data?.conversation) await new Promise((resolve) => setTimeout(resolve, 100))
        else await post(`conversations/${data.conversation.id}/messages`, { reply: { type: 'text', text } }, data.token)
      }
    }
    const visitors = Array.from({ length: VISITORS }, visitor)
    return {
      async stop() {
        going = false
        await Promise.all(visitors)
      },
    }
  },
}

/** A chatbot that asks, and answers from a source of its own. */
async function publishAnswering(client: TestClient): Promise<string> {
  const ids = createCountingIds('b')
  const block = (id: string, kind: string): Block => {
    const definition = registry.get(kind)
    return { id, kind, version: definition.migrations.length, data: definition.defaults(ids) as Block['data'] }
  }
  const blocks = [block('start', 'start'), block('ask', 'text-input'), block('answer', 'ai-answer')]
  const flow = { ...emptyFlow(), groups: [{ id: 'g', title: 'Ask', position: { x: 0, y: 0 }, blocks }] }
  const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
  const { chatbot } = await client.call(createChatbot, {
    params: { pgid },
    body: { name: 'Answering', source: JSON.stringify(flow) },
  })
  await client.call(addText, {
    params: { pgid, cgid: chatbot.gid },
    body: { title: 'Hours', markdown: 'ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า 我们的商店每天上午九点营业。 The shop opens at nine.' },
  })
  await client.call(publishFlow, { params: { pgid, cgid: chatbot.gid, fid: chatbot.fid }, body: {} })
  return chatbot.slug
}
