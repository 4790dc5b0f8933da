import type { Transaction } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { Database } from '../../platform/database/tables'
import type { FileStore } from '../../platform/files/files'
import { copyEvaluations } from '../agents/evaluations/copyEvaluations'
import { copyActions } from '../chatbots/copyActions'
import { copySettings } from '../chatbots/copySettings'
import { copyKnowledge } from '../knowledge/training/copyKnowledge'

/**
 * Copies settings, sources and evaluation questions to a project's copies of chatbots; a linked knowledge base becomes
 * that of the copy. @param copies by the originals' ids
 */
export async function copyContents(
  context: ServerContext,
  trx: Transaction<Database>,
  from: string,
  to: string,
  copies: ReadonlyMap<string, string>,
  files: Pick<FileStore, 'copy'>,
): Promise<void> {
  const originals = await trx
    .selectFrom('chatbots')
    .select(['id', 'linked_kb_id'])
    .where('project_id', '=', from)
    .orderBy('id')
    .execute()
  const pairs = originals.flatMap(({ id, linked_kb_id }) => {
    const copy = copies.get(id)
    const places = [
      { projectId: from, chatbotId: id },
      { projectId: to, chatbotId: copy ?? '' },
    ] as const
    return copy ? [{ places, lender: (linked_kb_id && copies.get(linked_kb_id)) || null }] : []
  })
  const sources = new Map<string, string>()
  for (const { places, lender } of pairs) {
    await copySettings(trx, ...places, lender)
    for (const [old, gid] of await copyKnowledge(context, trx, ...places, files)) sources.set(old, gid)
    await copyActions(context, trx, ...places)
  }
  // a question may require a source of the linked knowledge base
  for (const { places } of pairs) await copyEvaluations(context, trx, ...places, sources)
}
