import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/database/tables'

/** Marks steps of a project's agent onboarding (SPEC.md 4) as done, unless they already are. */
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
