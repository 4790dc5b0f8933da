import { type SqlBool, sql } from 'kysely'
import { afterOpenMinutes, opennessAt } from '../../../engine/values/openHours'
import { rolesOf } from '../../access/roles'
import { type Office, officeSchema } from '../../contracts/office'
import type { Db } from '../../platform/database/database'

/** Whose hours: a team by its id or the name that a flow calls it by; null: the project's. */
export type TeamRef = { id: string } | { name: string } | null

export interface TeamsOffice extends Office {
  /** the team that was found */
  teamId: string | null
}

/** When a team answers, and how soon: what it has not set itself is its project's. */
export async function officeOf(db: Db, projectId: string, ref: TeamRef): Promise<TeamsOffice> {
  const [project, team] = await Promise.all([
    db.selectFrom('inbox_settings').select('office').where('project_id', '=', projectId).executeTakeFirst(),
    ref === null ? undefined : findTeam(db, projectId, ref),
  ])
  const all = officeSchema.parse(project?.office ?? {})
  const own = officeSchema.parse(team?.office ?? {})
  return {
    teamId: team?.id ?? null,
    hours: own.hours ?? all.hours,
    away_message: own.away_message || all.away_message,
    first_answer_minutes: own.first_answer_minutes ?? all.first_answer_minutes,
    resolution_minutes: own.resolution_minutes ?? all.resolution_minutes,
  }
}

/** The hours and targets of the team that has a conversation, or was named as it was handed over. */
export async function officeOfConversation(
  db: Db,
  { id, project_id }: { id: string; project_id: string },
): Promise<TeamsOffice> {
  const row = await db
    .selectFrom('conversations')
    .leftJoin('hand_offs', 'hand_offs.conversation_id', 'conversations.id')
    .select(['conversations.team_id', 'hand_offs.team'])
    .where('conversations.id', '=', id)
    .where('conversations.project_id', '=', project_id)
    .executeTakeFirst()
  return officeOf(db, project_id, row?.team_id ? { id: row.team_id } : row?.team ? { name: row.team } : null)
}

const findTeam = (db: Db, projectId: string, ref: NonNullable<TeamRef>) =>
  db
    .selectFrom('teams')
    .select(['id', 'office'])
    .where('project_id', '=', projectId)
    .where((eb) =>
      'id' in ref ? eb('id', '=', ref.id) : eb(eb.fn<string>('lower', ['name']), '=', ref.name.trim().toLowerCase()),
    )
    .executeTakeFirst()

/** Whether it is within the hours, and when that changes; null: it stays. */
export function opennessOf({ hours }: Pick<Office, 'hours'>, now: Date): { open: boolean; changesAt: Date | null } {
  if (hours === null) return { open: true, changesAt: null }
  const { open, until } = opennessAt(hours, Math.floor(now.getTime() / MINUTE))
  return { open, changesAt: until === null ? null : new Date(until * MINUTE) }
}

/** When a number of minutes within the hours have passed since then; null: no number, or it never opens. */
export function dueAfter({ hours }: Pick<Office, 'hours'>, since: Date, minutes: number | null): Date | null {
  if (minutes === null) return null
  if (hours === null) return new Date(since.getTime() + minutes * MINUTE)
  const due = afterOpenMinutes(hours, Math.floor(since.getTime() / MINUTE), minutes)
  return due === null ? null : new Date(due * MINUTE)
}

/**
 * Whether a conversation that is handed over meets somebody: it is within the hours, and a member of the team (or of
 * the project, where there is no such team) who may answer visitors has not set themselves away. Addresses that the
 * flow names are people as well.
 */
export async function isAnyoneOn(
  db: Db,
  projectId: string,
  { team, to, now }: { team: string; to: readonly string[]; now: Date },
): Promise<boolean> {
  const office = await officeOf(db, projectId, { name: team })
  if (!opennessOf(office, now).open) return false
  if (to.length > 0) return true
  const on = await db
    .selectFrom('project_members')
    .select('project_members.user_id')
    .where('project_members.project_id', '=', projectId)
    .where(isAssignable)
    .$if(office.teamId !== null, (members) =>
      members
        .innerJoin('team_members', (join) =>
          join
            .onRef('team_members.user_id', '=', 'project_members.user_id')
            .onRef('team_members.project_id', '=', 'project_members.project_id'),
        )
        .where('team_members.team_id', '=', office.teamId),
    )
    .limit(1)
    .executeTakeFirst()
  return on !== undefined
}

/** Condition: a member of a project who may answer visitors, and is not away. */
export const isAssignable = sql<SqlBool>`project_members.roles && ${rolesOf('conversations.reply')}::int[]
  and not project_members.is_away`

const MINUTE = 60_000
