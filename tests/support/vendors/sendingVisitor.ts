import { registry } from '../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import type { Conversation } from '../../../server/contracts/chat'
import { insertPublishedFlow } from '../publishedFlow'
import type { TestServer } from '../server'

/** A visitor of a chatbot of the project, whose flow begins by asking for files. */
export async function sendingVisitor(server: TestServer, projectId: string, flow: Flow) {
  const guest = await server.guest()
  const slug = `sends-${projectId}-${server.context.ids()}`
  await insertPublishedFlow(server.context.db, flow, slug, {}, projectId)
  const base = `/api/chat/${slug}/conversations`
  const started = await guest.send('POST', base, { client_id: `start-${slug}` })
  const { token, conversation } = started.body.data as { token: string; conversation: Conversation }
  const path = `${base}/${conversation.id}`
  const authorization = `Bearer ${token}`
  let replies = 0

  return {
    conversation: conversation.id,
    /** @returns the file's id, and the address at which it can be read */
    async uploads(name: string, text: string): Promise<{ id: string; address: string }> {
      const response = await fetch(`${server.url}${path}/files?name=${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'text/plain' },
        body: text,
      })
      const { data } = (await response.json()) as { data: { file: { id: string } } }
      return { id: data.file.id, address: `${server.url}/files/sent/${data.file.id}` }
    },
    /** Answers the question with what was uploaded. */
    async replies(fileIds: string[]): Promise<void> {
      const body = { client_id: `reply-${slug}-${++replies}`, reply: { type: 'files', fileIds } }
      const response = await fetch(`${server.url}${path}/messages`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(await response.text())
    },
  }
}

/** A flow that asks for up to three files, saves their addresses, and goes on with the blocks given. */
export function askingForFiles(...next: Pick<Block, 'id' | 'kind' | 'data'>[]): Flow {
  const made = ({ id, kind, data }: (typeof next)[number]): Block => ({
    id,
    kind,
    version: registry.get(kind).migrations.length,
    data: { ...(registry.get(kind).defaults(() => `${id}-item`) as Block['data']), ...data },
  })
  const blocks = [
    { id: 'start', kind: 'start', data: {} },
    { id: 'ask', kind: 'file-upload', data: { saveTo: 'files', maxCount: 3, maxSize: 100 } },
    ...next,
  ].map(made)
  return {
    ...emptyFlow(),
    variables: [{ id: 'files', name: 'files', value: null }],
    groups: [{ id: 'g', title: 'Help', position: { x: 0, y: 0 }, blocks }],
  }
}
