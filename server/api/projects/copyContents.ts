import type { Transaction } from 'kysely'
import type { ServerContext } from '../../context'
import { copyKnowledge } from '../../knowledge/training/copyKnowledge'
import type { FileStore } from '../../storage/files'
import type { Database } from '../../storage/tables'
import { copyActions } from '../chatbots/copyActions'
import { copySettings } from '../chatbots/copySettings'

/**
 * Gives a project's copies of chatbots the settings and the sources of their originals; who used another one's knowledge base uses that
 * one's copy. @param copies by the originals' ids
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
  for (const { id, linked_kb_id } of originals) {
    const copy = copies.get(id)
    if (!copy) continue
    const places = [
      { projectId: from, chatbotId: id },
      { projectId: to, chatbotId: copy },
    ] as const
    await copySettings(trx, ...places, (linked_kb_id && copies.get(linked_kb_id)) || null)
    await copyKnowledge(context, trx, ...places, files)
    await copyActions(context, trx, ...places)
  }
}
