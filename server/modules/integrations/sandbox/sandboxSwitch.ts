import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import type { StandIns } from '../../../platform/standIns'
import { integrationDisconnected, sandboxSwitched } from '../events'
import { refusalOf } from './refusal'

/**
 * Has stand-ins take the vendors' place in this process, and the other way round. Everything asks `config.vendors` at
 * each call, so it takes effect at once; what each connection is of says which of the two may have its tokens.
 */
export function createSandboxSwitch(context: ServerContext) {
  const { config, db, clock } = context
  const isFixed = config.vendors.sandbox !== null
  let running: (StandIns & { before: typeof config.vendors }) | null = null
  /** one change at a time */
  let last: Promise<unknown> = Promise.resolve()

  async function turnOn(userId: string): Promise<void> {
    const refused = await refusalOf(context, userId)
    if (refused !== null || !context.openStandIns) throw new ApiError('conflict', { message: refused ?? '' })
    const standIns = await context.openStandIns(clock)
    const { whatsapp } = config.vendors
    running = { ...standIns, before: { ...config.vendors } }
    Object.assign(config.vendors, standIns.vendors, { whatsapp, sandbox: standIns.url })
  }

  async function turnOff(origin: EventContext, { before, close }: NonNullable<typeof running>): Promise<void> {
    running = null
    // first: nothing more is made there
    Object.assign(config.vendors, before)
    await close()
    await disconnectAll(origin)
  }

  async function disconnectAll(origin: EventContext): Promise<void> {
    const rows = await db
      .selectFrom('connections')
      .select('project_id')
      .distinct()
      .where('sandbox', '=', true)
      .execute()
    for (const { project_id: projectId } of rows)
      await db
        .forProject(projectId)
        .transaction()
        .execute(async (work) => {
          const gone = await work
            .deleteFrom('connections')
            .where('sandbox', '=', true)
            .returning(['gid', 'vendor'])
            .execute()
          for (const { gid, vendor } of gone)
            await appendEvent(work, integrationDisconnected, { ...origin, projectId }, { connection: gid, vendor })
        })
  }

  async function countConnections(): Promise<number> {
    const { count } = await db
      .selectFrom('connections')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('sandbox', '=', true)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async function present(userId: string) {
    const { sandbox: url } = config.vendors
    const refused = url === null ? await refusalOf(context, userId) : null
    return { url, fixed: isFixed, refused, connections: await countConnections() }
  }

  async function change(
    { on, confirmed }: { on: boolean; confirmed?: boolean | undefined },
    origin: EventContext,
    userId: string,
  ) {
    if (isFixed) throw new ApiError('conflict', { message: 'Parley was started with --sandbox: start it without.' })
    if (on === (running !== null)) return
    if (!running) await turnOn(userId)
    else {
      const connections = confirmed ? 0 : await countConnections()
      if (connections > 0)
        throw new ApiError('conflict', { message: `${connections} accounts at stand-ins would be disconnected.` })
      await turnOff(origin, running)
    }
    await db
      .forProject(origin.projectId ?? '')
      .transaction()
      .execute((work) => appendEvent(work, sandboxSwitched, origin, { on }))
  }

  return {
    present,
    /** @throws ApiError conflict with the reason */
    switch(
      wanted: { on: boolean; confirmed?: boolean | undefined },
      origin: EventContext,
      userId: string,
    ): Promise<void> {
      const made = last.then(() => change(wanted, origin, userId))
      last = made.catch(() => {})
      return made
    },
    close: async () => running?.close(),
  }
}
export type SandboxSwitch = ReturnType<typeof createSandboxSwitch>
