import type { FastifyInstance } from 'fastify'
import type { CallerUser } from '../../access/access'
import { isOperator } from '../../access/operators'
import { registerRoute } from '../../access/register'
import {
  ADMIN_ROWS,
  announce,
  changeAllowance as changeAllowanceRoute,
  dismissDeadJob,
  listAllProjects,
  listDeadJobs,
  listOperatorActions,
  listPeople,
  readOperatorNotice,
  readOverview,
  resumePerson,
  resumeProject,
  retryAll,
  retryDeadJob,
  stopViewing,
  suspendPerson,
  suspendProject,
  turnOffTwoFactorOf,
  viewAs,
} from '../../contracts/admin'
import type { ServerContext } from '../../platform/context'
import { listFailures } from '../../platform/events/failures'
import { createTellPerson } from '../accounts/auth/tellPerson'
import { readState } from '../operations/metrics/readState'
import { setAnnouncement } from './announcement'
import { changeAllowance } from './changeAllowance'
import { deadJobs, dismissJob, retryEverything, retryJob } from './deadJobs'
import { allPeople, allProjects } from './lists'
import type { Doer } from './noteAction'
import { presentOverview } from './presentOverview'
import { setPersonSuspended, setProjectSuspended } from './suspend'
import { turnOffTwoFactorFor } from './twoFactorOff'
import { beginViewing, endViewing } from './viewing'

/**
 * The routes of who runs the installation. Each that changes something notes it.
 * @param rightsChanged told of a person whose open connections may have lost their rights
 */
export function registerAdmin(
  app: FastifyInstance,
  context: ServerContext,
  rightsChanged: (userId: string) => void,
): void {
  const { db, clock, jobs, config } = context
  const tell = createTellPerson(app, context)
  const doerOf = ({ user }: { user: CallerUser }): Doer => ({ operator: user.email, at: clock() })

  registerRoute(app, context, readOverview, async () => presentOverview(await readState(context), config))

  registerRoute(app, context, listDeadJobs, async () => {
    const events = await listFailures(db)
    const givenUp = events.filter(({ retryAt }) => retryAt === null).slice(0, ADMIN_ROWS)
    const present = ({ consumer, type, project, error }: (typeof events)[number]) => ({
      consumer,
      type,
      project,
      error,
    })
    return { jobs: await deadJobs(db), events: givenUp.map(present) }
  })
  registerRoute(app, context, retryDeadJob, async ({ caller, params }) => {
    await retryJob(db, params.job, doerOf(caller))
    jobs.wake()
    return {}
  })
  registerRoute(app, context, dismissDeadJob, async ({ caller, params }) => {
    await dismissJob(db, params.job, doerOf(caller))
    return {}
  })
  registerRoute(app, context, retryAll, async ({ caller }) => {
    const done = await retryEverything(db, doerOf(caller))
    jobs.wake()
    return done
  })

  registerRoute(app, context, listAllProjects, async ({ query }) => {
    const { rows, more } = await allProjects(db, query.search?.trim() ?? '', clock())
    return { projects: rows, more }
  })
  registerRoute(app, context, changeAllowanceRoute, async ({ caller, params, body }) => {
    await changeAllowance(db, params.gid, body, doerOf(caller))
    return {}
  })
  registerRoute(app, context, suspendProject, async ({ caller, params, body }) => {
    await setProjectSuspended(db, params.gid, body.why, doerOf(caller))
    return {}
  })
  registerRoute(app, context, resumeProject, async ({ caller, params }) => {
    await setProjectSuspended(db, params.gid, null, doerOf(caller))
    return {}
  })

  registerRoute(app, context, listPeople, async ({ query }) => {
    const { rows, more } = await allPeople(db, config, query.search?.trim() ?? '')
    return { people: rows, more }
  })
  registerRoute(app, context, suspendPerson, async ({ caller, params, body }) => {
    rightsChanged(await setPersonSuspended(db, params.gid, body.why, doerOf(caller)))
    return {}
  })
  registerRoute(app, context, resumePerson, async ({ caller, params }) => {
    await setPersonSuspended(db, params.gid, null, doerOf(caller))
    return {}
  })
  registerRoute(app, context, turnOffTwoFactorOf, async ({ caller, params, body, request }) => {
    const person = await turnOffTwoFactorFor(db, params.gid, body.why, doerOf(caller))
    rightsChanged(person.id)
    tell(person, 'twoFactorOffByOperator', request)
    return {}
  })
  registerRoute(app, context, viewAs, async ({ caller, params, body, request }) => {
    await beginViewing(context, request, params.gid, body.why, doerOf(caller))
    return {}
  })
  registerRoute(app, context, stopViewing, async ({ request }) => {
    await endViewing(context, request)
    return {}
  })

  registerRoute(app, context, announce, async ({ caller, body }) => {
    await setAnnouncement(db, body.text, body.warns, doerOf(caller))
    return {}
  })
  registerRoute(app, context, listOperatorActions, async () => {
    const rows = await db
      .selectFrom('operator_actions')
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(ADMIN_ROWS)
      .execute()
    return { actions: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) }
  })

  registerRoute(app, context, readOperatorNotice, async ({ caller: { user } }) => {
    const { announcement, announcement_warns, announced_at } = await db
      .selectFrom('installation')
      .select(['announcement', 'announcement_warns', 'announced_at'])
      .executeTakeFirstOrThrow()
    return {
      operator: !user.viewer && (await isOperator(context, user)),
      announcement:
        announcement === null || !announced_at
          ? null
          : { text: announcement, warns: announcement_warns, at: announced_at.toISOString() },
      viewing: user.viewer ? { email: user.email, until: user.viewer.until.toISOString() } : null,
    }
  })
}
