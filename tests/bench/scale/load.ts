import type { Conversation } from '../../../server/contracts/chat'
import type { RunningApp } from '../../support/app'
import type { TestClient } from '../../support/client'
import { openPeer, type Peer, synced } from '../../support/collab'
import { createCaller } from '../../support/httpCaller'

/** How long each turn or edit took, in ms, and for how long it was measured. */
export interface Measured {
  took: number[]
  seconds: number
}

export const aSecond = ({ took, seconds }: Measured): number => took.length / seconds

/** @param share 0 to 1. @returns ms */
export function quantile({ took }: Pick<Measured, 'took'>, share: number): number {
  const sorted = took.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Visitors, evenly over the processes, who answer as soon as they are asked. @param visitors of each process */
export async function talk(
  apps: readonly RunningApp[],
  slug: string,
  visitors: number,
  seconds: number,
): Promise<Measured> {
  const took: number[] = []
  const run = Math.random().toString(36).slice(2)
  const callers = apps.map(({ url }) => createCaller(url, visitors))
  const end = performance.now() + seconds * 1_000
  await Promise.all(
    callers.flatMap(({ call }, at) =>
      Array.from({ length: visitors }, async (_, who) => {
        const { path, token } = await begin(call, slug, `${run}-${at}-${who}`)
        for (let count = 0; performance.now() < end; count++) {
          const from = performance.now()
          await call(path, messageOf(count), token)
          took.push(performance.now() - from)
        }
      }),
    ),
  )
  for (const { close } of callers) close()
  return { took, seconds }
}

/** Starts a visitor's conversation. @returns where its messages go */
export async function begin(call: ReturnType<typeof createCaller>['call'], slug: string, who: string) {
  type Started = { token: string; conversation: Conversation }
  const { token, conversation } = await call<Started>(`/api/chat/${slug}/conversations`, { client_id: `start-${who}` })
  return { path: `/api/chat/${slug}/conversations/${conversation.id}/messages`, token, id: conversation.id }
}

export const messageOf = (count: number) => ({
  client_id: `message-${count}`,
  reply: { type: 'text', text: `This is message ${count}.` },
})

/** A flow in which one person writes and another one sees it, on one process or on two. */
export interface Room {
  fid: string
  writer: RunningApp
  reader: RunningApp
}

/** In each room an edit is made as soon as the one before it is seen. */
export async function edit(rooms: readonly Room[], owner: TestClient, seconds: number): Promise<Measured> {
  const took: number[] = []
  const pairs: [Peer, Peer][] = []
  for (const { fid, writer, reader } of rooms) {
    const pair: [Peer, Peer] = [openPeer(writer, owner, fid), openPeer(reader, owner, fid)]
    await Promise.all(pair.map(synced))
    pair[0].document.commands.addGroup({ id: 'edited', title: '', position: { x: 0, y: 0 }, blocks: [] })
    pairs.push(pair)
  }
  const end = performance.now() + seconds * 1_000
  await Promise.all(
    pairs.map(async ([writer, reader]) => {
      for (let count = 0; performance.now() < end; count++) {
        const title = `Edit ${count}`
        const from = performance.now()
        writer.document.commands.setGroupTitle('edited', title)
        await reader.sees((document) => document.projection().groups.get('edited')?.title === title)
        took.push(performance.now() - from)
      }
    }),
  )
  for (const peer of pairs.flat()) peer.leave()
  return { took, seconds }
}
