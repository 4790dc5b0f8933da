import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/inbox'
import { officeSchema } from '../../contracts/office'
import type { ServerContext } from '../../platform/context'
import type { Db, Work } from '../../platform/database/database'
import { ApiError, fieldError, isUniqueViolation } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import * as events from './events'
import { answerersOf } from './members'
import { presentPerson } from './presenter'

/** Routes of what a project's conversations have in common: labels, teams, saved replies. */
export function registerSetup(app: FastifyInstance, context: ServerContext): void {
  const { clock, ids } = context

  registerRoute(app, context, contract.readInboxSetup, async ({ caller }) => {
    const { db, project, user } = caller
    const [members, chatbots, labels, teams, inTeams, replies, settings, me] = await Promise.all([
      answerersOf(db, project.id),
      db
        .selectFrom('chatbots')
        .select(['gid', 'name'])
        .where('project_id', '=', project.id)
        .where('deleting_since', 'is', null)
        .orderBy('name')
        .execute(),
      db.selectFrom('labels').select(['gid', 'name', 'color']).orderBy('name').execute(),
      db.selectFrom('teams').select(['id', 'gid', 'name', 'assignment', 'office']).orderBy('name').execute(),
      db
        .selectFrom('team_members')
        .innerJoin('users', 'users.id', 'team_members.user_id')
        .select(['team_id', 'users.gid'])
        .execute(),
      db.selectFrom('saved_replies').select(['gid', 'shortcut', 'body']).orderBy('shortcut').execute(),
      db.selectFrom('inbox_settings').select('office').executeTakeFirst(),
      db.selectFrom('users').select('gid').where('id', '=', user.id).executeTakeFirstOrThrow(),
    ])
    return {
      me: me.gid,
      members: members.map((member) => ({ ...presentPerson(member), away: member.is_away })),
      chatbots,
      labels: labels.map(({ gid, name, color }) => ({ gid, name, colour: color })),
      teams: teams.map(({ id, gid, name, assignment, office }) => ({
        gid,
        name,
        assignment,
        members: inTeams.filter(({ team_id }) => team_id === id).map((member) => member.gid),
        office: officeSchema.parse(office),
      })),
      saved_replies: replies,
      office: officeSchema.parse(settings?.office ?? {}),
    }
  })

  registerRoute(app, context, contract.addLabel, async ({ caller: { db, project }, body, origin }) => {
    await wantRoom(db, 'labels', contract.MOST_LABELS)
    const gid = ids()
    await unlessTaken('name', 'There is a label of this name.', () =>
      transact(db, async (work) => {
        await work
          .insertInto('labels')
          .values({ gid, project_id: project.id, name: body.name, color: body.colour, created_at: clock() })
          .execute()
        await appendEvent(work, events.labelAdded, origin, { label: gid })
      }),
    )
    return { label: { gid, ...body } }
  })
  registerRoute(app, context, contract.changeLabel, async ({ caller: { db }, params: { gid }, body, origin }) => {
    await unlessTaken('name', 'There is a label of this name.', () =>
      transact(db, async (work) => {
        const changed = await work
          .updateTable('labels')
          .set({ name: body.name, color: body.colour })
          .where('gid', '=', gid)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw new ApiError('not_found')
        await appendEvent(work, events.labelChanged, origin, { label: gid })
      }),
    )
    return {}
  })
  registerRoute(app, context, contract.deleteLabel, async ({ caller: { db }, params: { gid }, origin }) => {
    await transact(db, async (work) => {
      const deleted = await work.deleteFrom('labels').where('gid', '=', gid).returning('id').executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(work, events.labelDeleted, origin, { label: gid })
    })
    return {}
  })

  registerRoute(app, context, contract.addTeam, async ({ caller: { db, project }, body, origin }) => {
    await wantRoom(db, 'teams', contract.MOST_TEAMS)
    const gid = ids()
    await unlessTaken('name', 'There is a team of this name.', () =>
      transact(db, async (work) => {
        const { id } = await work
          .insertInto('teams')
          .values({ gid, project_id: project.id, name: body.name, assignment: body.assignment, created_at: clock() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await setMembers(work, { id, projectId: project.id }, body.members)
        await appendEvent(work, events.teamAdded, origin, { team: gid })
      }),
    )
    return { team: { gid, ...body, office: officeSchema.parse({}) } }
  })
  registerRoute(app, context, contract.changeTeam, async ({ caller, params: { gid }, body, origin }) => {
    const { db, project } = caller
    await unlessTaken('name', 'There is a team of this name.', () =>
      transact(db, async (work) => {
        const changed = await work
          .updateTable('teams')
          .set({ name: body.name, assignment: body.assignment })
          .where('gid', '=', gid)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw new ApiError('not_found')
        await setMembers(work, { id: changed.id, projectId: project.id }, body.members)
        await appendEvent(work, events.teamChanged, origin, { team: gid })
      }),
    )
    return {}
  })
  registerRoute(app, context, contract.deleteTeam, async ({ caller: { db }, params: { gid }, origin }) => {
    await transact(db, async (work) => {
      const deleted = await work.deleteFrom('teams').where('gid', '=', gid).returning('id').executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(work, events.teamDeleted, origin, { team: gid })
    })
    return {}
  })

  registerRoute(app, context, contract.addSavedReply, async ({ caller: { db, project }, body, origin }) => {
    await wantRoom(db, 'saved_replies', contract.MOST_SAVED_REPLIES)
    const gid = ids()
    const at = clock()
    await unlessTaken('shortcut', 'There is a saved reply with this shortcut.', () =>
      transact(db, async (work) => {
        await work
          .insertInto('saved_replies')
          .values({ gid, project_id: project.id, ...body, created_at: at, updated_at: at })
          .execute()
        await appendEvent(work, events.savedReplyAdded, origin, { saved_reply: gid })
      }),
    )
    return { saved_reply: { gid, ...body } }
  })
  registerRoute(app, context, contract.changeSavedReply, async ({ caller: { db }, params: { gid }, body, origin }) => {
    await unlessTaken('shortcut', 'There is a saved reply with this shortcut.', () =>
      transact(db, async (work) => {
        const changed = await work
          .updateTable('saved_replies')
          .set({ ...body, updated_at: clock() })
          .where('gid', '=', gid)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw new ApiError('not_found')
        await appendEvent(work, events.savedReplyChanged, origin, { saved_reply: gid })
      }),
    )
    return {}
  })
  registerRoute(app, context, contract.deleteSavedReply, async ({ caller: { db }, params: { gid }, origin }) => {
    await transact(db, async (work) => {
      const deleted = await work.deleteFrom('saved_replies').where('gid', '=', gid).returning('id').executeTakeFirst()
      if (!deleted) throw new ApiError('not_found')
      await appendEvent(work, events.savedReplyDeleted, origin, { saved_reply: gid })
    })
    return {}
  })
}

const transact = <Result>(db: Db, task: (work: Work) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(task)

async function unlessTaken(field: string, message: string, task: () => Promise<unknown>): Promise<void> {
  await task().catch((error: unknown) => {
    throw isUniqueViolation(error) ? fieldError(field, message) : error
  })
}

async function wantRoom(db: Db, table: 'labels' | 'teams' | 'saved_replies', most: number): Promise<void> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most) throw new ApiError('conflict', { message: `There can be at most ${most}.` })
}

/** The members of a team are those given; who was in it keeps the turn. @throws ApiError invalid */
async function setMembers(
  work: Work,
  { id, projectId }: { id: string; projectId: string },
  gids: readonly string[],
): Promise<void> {
  const members = (await answerersOf(work, projectId)).filter(({ gid }) => gids.includes(gid))
  if (members.length < new Set(gids).size)
    throw fieldError('members', 'Somebody of these can’t answer visitors here any more.')
  const ids = members.map((member) => member.id)
  await work
    .deleteFrom('team_members')
    .where('team_id', '=', id)
    .where('project_id', '=', projectId)
    .where('user_id', 'not in', ids)
    .execute()
  await work
    .insertInto('team_members')
    .values(ids.map((user_id) => ({ team_id: id, project_id: projectId, user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
