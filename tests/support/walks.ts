import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { LEFT_AFTER_MINUTES } from '../../server/contracts/statistics'
import { about, messageCreated } from '../../server/modules/conversations/events'
import type { TurnPath } from '../../server/modules/statistics/turnPath'
import type { RootDb } from '../../server/platform/database/database'
import { appendEvent } from '../../server/platform/events/defineEvent'
import type { History } from './histories'
import type { PublishedFlow } from './publishedFlow'

const DAY = 86_400_000
const groups = ['hall', 'shop', 'desk'] as const
const places = groups.flatMap((group) => ['a', 'b'].map((block) => ({ group, block: `${group}-${block}` })))

/** A flow of three groups with two blocks each. */
export const walkedFlow = (): Flow => ({
  ...emptyFlow(),
  groups: groups.map((id) => ({
    ...{ id, title: id, position: { x: 0, y: 0 } },
    blocks: places
      .filter(({ group }) => group === id)
      .map(({ block }) => ({ id: block, kind: 'text', version: 1, data: {} })),
  })),
})

interface Walk {
  /** of groups and blocks, as `group hall`, `block hall-a` */
  reached: Set<string>
  status: TurnPath['status']
  at: { group: string; block: string } | null
  lastAt: number
  turns: number
}

/** Writes paths of turns through `walkedFlow`, and addresses of who asks for people, beside what a writer writes. */
export function createWalks(db: RootDb, { projectId, chatbotId }: PublishedFlow, random: () => number) {
  const walks = new Map<History, Walk>()
  const emails = new Map<History, string>()
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value

  async function walk(history: History): Promise<void> {
    const before = walks.get(history) ?? { reached: new Set(), status: 'waiting', at: null, lastAt: 0, turns: 0 }
    // a test's turns are not noted, and what is over has no more of them
    if (history.environment === 'playground' || history.ended) return
    if (before.status === 'left' || before.turns > 3) return
    const [turn, status] = [before.turns, pick(['waiting', 'waiting', 'pausing', 'completed', 'left'] as const)]
    const passed = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(places))
    const last = passed.at(-1) ?? { group: 'hall', block: 'hall-a' }
    const at = status === 'completed' ? null : last
    const lastAt = history.at + turn * 60_000
    const path: TurnPath = {
      entered: passed.map(({ group }) => ['', group]),
      taken: [],
      reached: passed.map(({ block }) => ['', block]),
      status,
      at: at && { flow: '', groupId: at.group, blockId: at.block },
      replied: turn > 0,
    }
    await db
      .insertInto('turn_paths')
      .values({
        ...{ run_id: history.run, project_id: projectId, chatbot_id: chatbotId, turn, at: new Date(lastAt) },
        path: JSON.stringify(path),
      })
      .execute()
    const reached = new Set([
      ...before.reached,
      ...passed.flatMap(({ group, block }) => [`group ${group}`, `block ${block}`]),
    ])
    walks.set(history, { reached, status, at, lastAt, turns: turn + 1 })
  }

  async function leaveAddress(history: History): Promise<void> {
    if (history.handedOver === null || history.environment === 'playground') return
    const [email, at] = [`v${history.id}@example.com`, new Date(history.at + DAY)]
    await db.transaction().execute(async (work) => {
      await work.updateTable('hand_offs').set({ email }).where('conversation_id', '=', history.id).execute()
      const told = { projectId, by: { actor: 'visitor' }, correlation: 'test', at } as const
      await appendEvent(work, messageCreated, told, { ...about(history), first: 1, last: 1 })
    })
    emails.set(history, email)
  }

  return {
    emails,
    step: (histories: readonly History[]) =>
      histories.length === 0
        ? Promise.resolve()
        : random() < 0.8
          ? walk(pick(histories))
          : leaveAddress(pick(histories)),

    /** How many of some conversations reached what, and were left where, by then. */
    recount(inside: readonly History[], now: number) {
      const taken = inside.flatMap((one) => walks.get(one) ?? [])
      const left = taken.filter(
        ({ status, lastAt }) =>
          status === 'left' || (status === 'waiting' && lastAt <= now - LEFT_AFTER_MINUTES * 60_000),
      )
      const count = (kind: 'group' | 'block', id: string) => ({
        conversations: taken.filter(({ reached }) => reached.has(`${kind} ${id}`)).length,
        left: left.filter(({ at }) => at?.[kind] === id).length,
      })
      return {
        funnel: groups.map((group) => ({ group, ...count('group', group) })).filter(isReached),
        blocks: places.map(({ block }) => ({ block, ...count('block', block) })).filter(isReached),
      }
    },
  }
}

const isReached = ({ conversations }: { conversations: number }) => conversations > 0
