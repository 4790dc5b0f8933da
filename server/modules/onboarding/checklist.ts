import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/database/tables'

/**
 * Ticks what a project's people have done of the agent's onboarding (SPEC.md 4). What is ticked is not written again.
 */
export async function tickChecklist(
  db: Kysely<Database>,
  projectId: string,
  item: Exclude<ChecklistKey, 'dismissed'>,
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ checklist: sql<string>`checklist || ${JSON.stringify({ [item]: true })}::jsonb` })
    .where('id', '=', projectId)
    .where(sql<boolean>`not coalesce((checklist ->> ${item})::boolean, false)`)
    .execute()
}

export type ChecklistKey =
  | 'dismissed'
  | 'kb'
  | 'actions'
  | 'playground'
  | 'web_customization'
  | 'web_deploy'
  | 'ai_settings'
