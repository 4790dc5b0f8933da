import { bonusOf } from '../../../access/addons'
import { entitlementsOf } from '../../../access/entitlements'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { takeCredits, usedCredits, usedTrainingOnce } from '../../billing/monthlyCredits'
import type { SourceRow } from './readSource'

/**
 * Charges a content's characters to the plan's monthly training credits. The same content of a source is charged once,
 * however often it is trained.
 * @returns why it may not be trained, in a sentence with the remedy; null if it may
 */
export async function chargeTraining(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  source: Pick<SourceRow, 'project_id' | 'gid'>,
  hash: string,
  characters: number,
): Promise<string | null> {
  const at = clock()
  const credit = 'training_credits'
  const use = { projectId: source.project_id, credit, key: `${source.gid}:${hash}`, amount: characters, at } as const
  if (await takeCredits(db, use)) return null
  const used = await usedCredits(db, source.project_id, credit, at)
  const project = await db
    .selectFrom('projects')
    .select(['plan_id', 'addons'])
    .where('id', '=', source.project_id)
    .executeTakeFirstOrThrow()
  const once = bonusOf(project.addons).training - (await usedTrainingOnce(db, source.project_id))
  const left = Math.max(0, entitlementsOf(project).limits[credit] - used) + Math.max(0, once)
  return `This has ${inWords(characters)}, and the plan has ${inWords(left)} of training left this month. Shorten it, upgrade the plan, or try again next month.`
}

const inWords = (count: number): string => `${Math.floor(count).toLocaleString('en')} characters`
