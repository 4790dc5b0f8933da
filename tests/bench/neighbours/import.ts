import { createChatbot } from '../../../server/contracts/chatbots'
import { exportFlow, importFlow, publishFlow } from '../../../server/contracts/flows'
import { listProjects } from '../../../server/contracts/projects'
import { checkDraft } from '../../../server/contracts/versions'
import { pathOf, type TestClient } from '../../support/client'
import { largeFlow } from '../../support/largeFlow'
import { openRaw } from '../../support/rawPeer'
import type { TestServer } from '../../support/server'

interface Target {
  baseUrl: string
  client: TestClient
}
interface Place {
  pgid: string
  cgid: string
  fid: string
}

const GROUPS = 9_000
/** who do so at once, and how often at most */
const AT_ONCE = 3
const MOST_ROUNDS = 200
/** ms before one who was refused comes again */
const REFUSED = 200

async function makePlace(client: TestClient, name: string, source?: string): Promise<Place> {
  const pgid = (await client.call(listProjects)).projects[0]?.gid ?? ''
  const { chatbot } = await client.call(createChatbot, { params: { pgid }, body: { name, ...(source && { source }) } })
  return { pgid, cgid: chatbot.gid, fid: chatbot.fid }
}

/** Does it again and again, several at once. */
function again(target: Target, source: string | undefined, round: (place: Place, target: Target) => Promise<unknown>) {
  let going = true
  const one = async (n: number) => {
    const place = await makePlace(target.client, `Bot ${n}`, source)
    return { place }
  }
  return async () => {
    const places = []
    for (let n = 0; n < AT_ONCE; n++) places.push((await one(n)).place)
    const loops = places.map(async (place) => {
      for (let n = 0; going && n < MOST_ROUNDS; n++) {
        await round(place, target).catch(() => new Promise((resolve) => setTimeout(resolve, REFUSED)))
      }
    })
    return {
      async stop() {
        going = false
        await Promise.all(loops)
      },
    }
  }
}

const large = () => JSON.stringify(largeFlow(GROUPS))
const must = async (answer: Promise<{ status: number }>) => {
  const { status } = await answer
  if (status >= 400) throw new Error(String(status))
}

export const importCase = {
  name: 'import of 9,000 groups',
  start(target: Target) {
    const body = JSON.stringify({ source: large(), mode: 'replace' })
    return again(target, undefined, (place, { client }) =>
      must(client.send('POST', pathOf(importFlow.path, { ...place }), body, { 'content-type': 'application/json' })),
    )()
  },
}

export const publishCase = {
  name: 'publishing 9,000 groups',
  start(target: Target) {
    return again(target, large(), (place, { client }) =>
      must(client.send('POST', pathOf(publishFlow.path, { ...place }), {})),
    )()
  },
}

export const readCase = {
  name: 'export and check of 9,000 groups',
  start(target: Target) {
    return again(target, large(), async (place, { client }) => {
      await must(client.send('GET', pathOf(exportFlow.path, { ...place })))
      await must(client.send('GET', pathOf(checkDraft.path, { ...place })))
    })()
  },
}

export const openCase = {
  name: 'opening 9,000 groups',
  start(target: Target) {
    return again(target, large(), async ({ fid }, { baseUrl, client }) => {
      const peer = await openRaw({ url: baseUrl } as TestServer, client, fid)
      await peer.reads()
      peer.socket.terminate()
    })()
  },
}
