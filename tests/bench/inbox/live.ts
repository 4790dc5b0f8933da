import { request } from 'node:http'
import { SESSION_COOKIE } from '../../../server/access/sessions'
import { hashToken, newToken } from '../../../server/access/tokens'
import { sendMessage, startConversation } from '../../../server/contracts/chat'
import { createClient, pathOf } from '../../support/client'
import type { TestServer } from '../../support/server'

const PEOPLE = 50
const VISITORS = 500
/** Messages of each visitor, and how many are sent a second by all of them. */
const MESSAGES = 6
const A_SECOND = 50

interface Place {
  pgid: string
  projectId: string
  slug: string
}

/** 500 visitors talk, 50 people look on: prints the time from a visitor's send to each person's stream, and to the answer. */
export async function measureLive(server: TestServer, place: Place): Promise<void> {
  const sent = new Map<string, number>()
  const seen: number[] = []
  const streams = await Promise.all(
    Array.from({ length: PEOPLE }, (_, at) =>
      watch(server, place, at, (conversation) => {
        const from = sent.get(conversation)
        if (from !== undefined) seen.push(performance.now() - from)
      }),
    ),
  )
  const guest = await createClient(server.url)
  const visitors: { path: string; token: string; id: string }[] = []
  for (let at = 0; at < VISITORS; at++) {
    const { token, conversation } = await guest.call(startConversation, {
      params: { slug: place.slug },
      body: { client_id: `visitor-${String(at).padStart(8, '0')}` },
    })
    const path = pathOf(sendMessage.path, { slug: place.slug, conversation: conversation.id })
    visitors.push({ path, token, id: conversation.id })
  }
  await Promise.all(streams.map(({ quiet }) => quiet()))
  seen.length = 0
  const answered: number[] = []
  const all = Array.from({ length: MESSAGES }, () => visitors).flat()
  const begun = performance.now()
  await Promise.all(
    all.map(async ({ path, token, id }, at) => {
      await new Promise((resolve) => setTimeout(resolve, (at * 1_000) / A_SECOND))
      const from = performance.now()
      sent.set(id, from)
      const body = { client_id: `message-${at}-bench`, reply: { type: 'text', text: `Hello ${at}` } }
      const { status } = await guest.send('POST', path, body, { authorization: `Bearer ${token}` })
      if (status === 200) answered.push(performance.now() - from)
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  await Promise.all(streams.map(({ quiet }) => quiet()))
  for (const { close } of streams) close()
  console.info(`${PEOPLE} people, ${VISITORS} visitors, ${(answered.length / seconds).toFixed(0)} messages a second`)
  print('from a visitor’s send to a person’s stream', seen)
  print('a visitor’s send answered', answered)
}

function print(name: string, took: readonly number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`
  console.info(`${name.padEnd(44)} p50 ${at(0.5).padStart(9)}  p95 ${at(0.95).padStart(9)}  ${took.length} times`)
}

/** A member who looks at the inbox: opens its stream, and hears which conversations change. */
async function watch(server: TestServer, { pgid, projectId }: Place, at: number, onChange: (gid: string) => void) {
  const { db } = server.context
  const [token, now] = [newToken(), new Date()]
  const { id } = await db
    .insertInto('users')
    .values({
      gid: `benchperson${String(at).padStart(5, '0')}`,
      email: `bench${at}@example.com`,
      ...{ first_name: 'Bench', last_name: String(at), password_hash: 'x', created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: id, roles: [1], created_at: now })
    .execute()
  const expires_at = new Date(now.getTime() + 86_400_000)
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: id,
      created_at: now,
      expires_at,
      seen_at: now,
      user_agent: 'bench',
    })
    .execute()
  const call = request(`${server.url}/api/projects/${pgid}/inbox/events?tab=bench-tab-${at}`, {
    headers: { cookie: `${SESSION_COOKIE}=${token}` },
  })
  let heard = performance.now()
  await new Promise<void>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`The stream answers ${response.statusCode}`))
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        heard = performance.now()
        const events = (text + chunk).split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) {
          if (event.startsWith('event: open')) resolve()
          const data = /^event: changed\ndata: (.*)$/m.exec(event)?.[1]
          if (data) for (const gid of (JSON.parse(data) as { conversations: string[] }).conversations) onChange(gid)
        }
      })
    })
    call.end()
  })
  return {
    close: () => void call.destroy(),
    /** resolves when nothing came for a second */
    async quiet() {
      while (performance.now() - heard < 1_000) await new Promise((resolve) => setTimeout(resolve, 100))
    },
  }
}
