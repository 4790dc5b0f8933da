import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { isUniqueViolation } from '../../../platform/errors'

/** Where an action is used. */
export interface Talk {
  projectId: string
  /** names the conversation, in the playground too */
  name: string
  /** null: in the playground */
  conversationId: string | null
}

/**
 * Whether a call may be carried out: yes; it was before (with its result); another process is at it; or it may be used
 * only once.
 */
export type Claim =
  | { go: 'yes'; id: string }
  | { go: 'before'; answer: Json; saved: Json }
  | { go: 'busy' }
  | { go: 'used-up' }

/** ms after which an unfinished call was interrupted by a crash: longer than any takes */
const LOST = 15_000
/** ms that uses in the playground are stored */
const PLAYGROUND = 24 * 3_600_000

export type ActionUses = ReturnType<typeof createActionUses>

/** Records which action was used when. The database decides between concurrent calls. */
export function createActionUses({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) {
  const own = (projectId: string, actionId: string) =>
    db
      .forProject(projectId)
      .updateTable('agent_action_uses')
      .where('project_id', '=', projectId)
      .where('action_id', '=', actionId)

  async function claim(
    { projectId, name, conversationId }: Talk,
    action: { id: string; once: boolean },
    key: string,
  ): Promise<Claim> {
    const at = clock()
    if (conversationId === null) await forgetPlayground(projectId, at)
    const inserted = await db
      .forProject(projectId)
      .insertInto('agent_action_uses')
      .values({
        project_id: projectId,
        action_id: action.id,
        talk: name,
        conversation_id: conversationId,
        key,
        once: action.once,
        state: 'running',
        answer: null,
        used_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) return { go: 'yes', id: inserted.id }
    const known = await db
      .forProject(projectId)
      .selectFrom('agent_action_uses')
      .select(['id', 'state', 'answer', 'saved', 'used_at'])
      .where('project_id', '=', projectId)
      .where('action_id', '=', action.id)
      .where('key', '=', key)
      .executeTakeFirst()
    if (!known) return { go: 'used-up' }
    if (known.state === 'done') return { go: 'before', answer: known.answer, saved: known.saved }
    if (known.state === 'running' && at.getTime() - known.used_at.getTime() < LOST) return { go: 'busy' }
    // failed, or interrupted by a crash: one process retries it under the same key
    try {
      const again = await own(projectId, action.id)
        .set({ state: 'running', used_at: at })
        .where('id', '=', known.id)
        .where('state', '=', known.state)
        .where('used_at', '=', known.used_at)
        .returning('id')
        .executeTakeFirst()
      return again ? { go: 'yes', id: again.id } : { go: 'busy' }
    } catch (error) {
      if (isUniqueViolation(error)) return { go: 'used-up' }
      throw error
    }
  }

  /** @param answer the result for the model, also if the same call is repeated */
  const finish = (
    projectId: string,
    actionId: string,
    id: string,
    { ok, answer, saved = null }: { ok: boolean; answer: Json; saved?: Json },
  ) =>
    own(projectId, actionId)
      .set({ state: ok ? 'done' : 'failed', answer: JSON.stringify(answer), saved: JSON.stringify(saved) })
      .where('id', '=', id)
      .execute()

  /** Whether the visitor was asked about this in another answer than the present one. */
  async function wasAsked({ projectId }: Talk, actionId: string, key: string, answerKey: string): Promise<boolean> {
    const row = await db
      .forProject(projectId)
      .selectFrom('agent_action_uses')
      .select('answer')
      .where('action_id', '=', actionId)
      .where('key', '=', key)
      .where('state', '=', 'asked')
      .executeTakeFirst()
    return row !== undefined && row.answer !== answerKey
  }

  /** Remembers that the visitor is asked about this by an answer; the first one counts. */
  async function ask({ projectId, name, conversationId }: Talk, actionId: string, key: string, answerKey: string) {
    const at = clock()
    if (conversationId === null) await forgetPlayground(projectId, at)
    await db
      .forProject(projectId)
      .insertInto('agent_action_uses')
      .values({
        ...{ project_id: projectId, action_id: actionId, talk: name, conversation_id: conversationId, key },
        ...{ once: false, state: 'asked', answer: JSON.stringify(answerKey), used_at: at },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** The once-per-conversation actions that this conversation has used. */
  async function usedUp({ projectId, name }: Talk): Promise<Set<string>> {
    const rows = await db
      .forProject(projectId)
      .selectFrom('agent_action_uses')
      .select('action_id')
      .where('project_id', '=', projectId)
      .where('talk', '=', name)
      .where('once', '=', true)
      .where('state', '<>', 'failed')
      .execute()
    return new Set(rows.map(({ action_id }) => action_id))
  }

  /** Values that actions have stored in a conversation, by name; the newest counts. */
  async function kept({ projectId, name }: Talk): Promise<Record<string, Json>> {
    const rows = await db
      .forProject(projectId)
      .selectFrom('agent_action_uses as use')
      .innerJoin('agent_actions as action', (join) =>
        join.onRef('action.id', '=', 'use.action_id').onRef('action.project_id', '=', 'use.project_id'),
      )
      .select(['action.save_to', 'use.saved'])
      .where('use.project_id', '=', projectId)
      .where('use.talk', '=', name)
      .where('use.state', '=', 'done')
      .where('action.save_to', 'is not', null)
      .orderBy('use.id')
      .execute()
    return Object.fromEntries(rows.map(({ save_to, saved }) => [save_to ?? '', saved]))
  }

  const forgetPlayground = (projectId: string, at: Date) =>
    db
      .forProject(projectId)
      .deleteFrom('agent_action_uses')
      .where('project_id', '=', projectId)
      .where('conversation_id', 'is', null)
      .where('used_at', '<', new Date(at.getTime() - PLAYGROUND))
      .execute()

  return { claim, finish, wasAsked, ask, usedUp, kept }
}
