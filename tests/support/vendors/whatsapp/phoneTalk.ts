import type { InputRequest } from '../../../../engine/flow/conversation'
import { createChatbot } from '../../../../server/contracts/chatbots'
import { exportFlow, listFlows } from '../../../../server/contracts/flows'
import { connectWhatsapp, disconnectWhatsapp } from '../../../../server/contracts/whatsapp'
import { parseConfig } from '../../../../server/platform/config/config'
import { createTestClock } from '../../clock'
import { startModelServer } from '../../modelServer'
import { startTestServer } from '../../server'
import { answerOnPhone, text } from './phoneAnswer'
import { keysOf, startWhatsapp } from './startWhatsapp'

/** What came of a conversation on a phone. */
export interface PhoneTalk {
  /** `turns`: it would have gone on */
  end: 'ended' | 'team' | 'turns'
  turns: number
  /** what went wrong; none if every answer that was owed came */
  problems: string[]
}

/** The most times that the clock is passed on until all is sent. */
const MOST_PASSES = 60
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const MEDIA = { image: '4711', document: '4712' }

/** A server, a stand-in of WhatsApp, and people who talk on their phones with one chatbot after the other. */
export async function startPhoneTalks() {
  const clock = createTestClock('2026-11-24T10:00:00Z')
  const whatsapp = await startWhatsapp({ clock })
  const models = await startModelServer()
  models.answers('That is so.')
  const { vendors } = parseConfig({ WHATSAPP_API_URL: whatsapp.origin })
  const server = await startTestServer({
    config: { vendors, ai: models.settings },
    clock,
  })
  server.context.config.publicUrl = server.url
  whatsapp.state.media.set(MEDIA.image, { id: MEDIA.image, type: 'image/png', bytes: Buffer.from(PIXEL, 'base64') })
  const pdf = { id: MEDIA.document, type: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') }
  whatsapp.state.media.set(MEDIA.document, pdf)
  const ada = await server.register()
  const { db, jobs } = server.context
  let people = 0

  /** Lets all happen that follows from what was sent. */
  async function work(): Promise<void> {
    do await whatsapp.webhooks.settle()
    while ((await jobs.runDue()) > 0)
  }

  const stateOf = (number: string) =>
    db
      .selectFrom('conversations')
      .leftJoin('runs', 'runs.id', 'conversations.run_id')
      .select(['conversations.id', 'conversations.status', 'runs.id as run', 'state', 'session'])
      .where('channel', '=', 'whatsapp')
      .where('address', '=', number)
      .orderBy('conversations.id', 'desc')
      .executeTakeFirst()

  const countDue = async (conversation: string): Promise<number> =>
    (
      await db
        .selectFrom('deliveries')
        .select('id')
        .where('conversation_id', '=', conversation)
        .where('status', '=', 'due')
        .execute()
    ).length

  /** Works until all is sent, at the pace of one person. */
  async function settle(number: string): Promise<void> {
    await work()
    // nothing more is typed
    clock.pass(2)
    await work()
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const state = await stateOf(number)
      if (!state) return
      const waits = state.state === 'waiting' && state.session?.request?.input === 'wait' ? state.session.request : null
      if (waits) clock.pass(Number(waits.timeout ?? 0) + 1)
      else if ((await countDue(state.id)) > 0) clock.pass(6)
      else return
      await work()
    }
    throw new Error('It is never done with sending.')
  }

  /** Writes to the number until the conversation is over. */
  async function talk(mostTurns: number): Promise<PhoneTalk> {
    const number = `4477009${String(++people).padStart(5, '0')}`
    const phone = whatsapp.phones.add(`Person ${people}`, number)
    const problems: string[] = []
    const asked = new Map<string, number>()
    const webhooks = whatsapp.webhooks.deliveries.length
    const contract = whatsapp.broken.length
    let end: PhoneTalk['end'] = 'turns'
    let answer = text('Hello')
    let turns = 0
    for (; turns < mostTurns; turns++) {
      const before = phone.messages.length
      whatsapp.phones.write(phone, answer.content, answer.replyTo)
      await settle(number)
      const state = await stateOf(number)
      if (!state) throw new Error('Nobody took the message.')
      const shown = phone.messages.slice(before).filter(({ from }) => from === 'business')
      const request: InputRequest | null = state.state === 'waiting' ? (state.session?.request ?? null) : null
      const isOver = state.state !== 'waiting' || state.status !== 'bot'
      if (!isOver && shown.length === 0)
        problems.push(`turn ${turns} after ${JSON.stringify(answer.content)}: silence where ${JSON.stringify(request)}`)
      if (isOver || !request || ('toTeam' in request && request.toTeam)) {
        end = state.status === 'bot' || state.status === 'closed' ? 'ended' : 'team'
        turns++
        break
      }
      const key = JSON.stringify({ ...request, timeout: 0 })
      const count = asked.get(key) ?? 0
      asked.set(key, count + 1)
      answer = answerOnPhone(request, shown, { count, media: MEDIA, now: clock() })
    }
    const conversations = db.selectFrom('conversations').select('id').where('address', '=', number)
    const dead = await db
      .selectFrom('deliveries')
      .select(['seq', 'status', 'error'])
      .where('conversation_id', 'in', conversations)
      .where('status', '<>', 'sent')
      .execute()
    problems.push(...dead.map(({ seq, status, error }) => `message ${seq} is ${status}: ${error}`))
    const stopped = await db
      .selectFrom('turn_records')
      .innerJoin('runs', 'runs.id', 'turn_records.run_id')
      .select(['turn', 'stopped'])
      .where('runs.conversation_id', 'in', conversations)
      .where('stopped', 'is not', null)
      .execute()
    problems.push(...stopped.map(({ turn, stopped: reason }) => `turn ${turn} stopped: ${JSON.stringify(reason)}`))
    const untaken = await db
      .selectFrom('whatsapp_inbound')
      .innerJoin('whatsapp_people', 'whatsapp_people.id', 'whatsapp_inbound.person_id')
      .select(['problem', 'message'])
      .where('phone', '=', number)
      .where((eb) => eb.or([eb('taken_at', 'is', null), eb('problem', 'is not', null)]))
      .execute()
    problems.push(...untaken.map(({ problem, message }) => `not taken (${problem}): ${JSON.stringify(message)}`))
    for (const { event, status } of whatsapp.webhooks.deliveries.slice(webhooks))
      if (status !== 200) problems.push(`${event} was answered with ${status}`)
    problems.push(...whatsapp.broken.slice(contract))
    return { end, turns, problems }
  }

  /** Publishes a flow in which an account or a model has still to be chosen: those blocks fail. */
  async function publishUnfinished(main: { pgid: string; cgid: string; fid: string }): Promise<void> {
    const { flows } = await ada.call(listFlows, { params: main })
    const others = flows.filter(({ gid }) => gid !== main.fid)
    const exported = await Promise.all(
      others.map(async ({ gid }) => [gid, await ada.call(exportFlow, { params: { ...main, fid: gid } })] as const),
    )
    const flow = await ada.call(exportFlow, { params: main })
    const { id, project_id } = await db
      .selectFrom('flows')
      .select(['id', 'project_id'])
      .where('gid', '=', main.fid)
      .executeTakeFirstOrThrow()
    const version = await db
      .insertInto('flow_versions')
      .values({
        ...{ project_id, flow_id: id, number: 1, hash: main.fid, created_by: null },
        ...{ flow: JSON.stringify(flow), flows: JSON.stringify(Object.fromEntries(exported)) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('flows')
      .set({ published_version_id: version.id, published_at: clock() })
      .where('id', '=', id)
      .execute()
  }

  return {
    ada,
    /** Publishes a new chatbot, connects the number with it, and talks. @param made a template or a file */
    async with(made: { template: string } | { source: string }, mostTurns = 40): Promise<PhoneTalk> {
      const inProject = { params: { pgid: ada.pgid } }
      const { chatbot } = await ada.call(createChatbot, { ...inProject, body: { name: 'Talks', ...made } })
      const params = { pgid: ada.pgid, cgid: chatbot.gid }
      const flow = { ...params, fid: chatbot.fid }
      const { status, body } = await ada.send(
        'POST',
        `/api/projects/${ada.pgid}/chatbots/${chatbot.gid}/flows/${flow.fid}/publish`,
        {},
      )
      if (status === 422 && body.code === 'flow_errors') await publishUnfinished(flow)
      else if (status !== 200) throw new Error(`It can't be published: ${JSON.stringify(body)}`)
      await ada.call(connectWhatsapp, { params, body: keysOf(whatsapp) })
      try {
        return await talk(mostTurns)
      } finally {
        await ada.call(disconnectWhatsapp, { params })
      }
    },
    async close() {
      await server.close()
      await whatsapp.close()
      await models.close()
    },
  }
}
