import type { FlowSecrets } from '../../../engine/flow/sealFlow'
import { type PresentSecrets, secretCaps } from '../../../engine/values/secrets'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import type { EventContext } from '../../platform/events/defineEvent'
import { createProjectSecrets } from './projectSecrets'

/** Notes about secrets for the person who imports flows. */
type Notes = { level: 'info' | 'warning'; message: string }[]

/** How often sealing is repeated because a name was taken meanwhile. */
const TRIES = 3

/**
 * Takes flows from a file or a program into a project: plain-text secrets in them become secrets of the project, and
 * missing secrets are noted.
 * @param origin the origin for events
 * @param seal parses the flows and replaces values by names (`sealInto`); called again if one of its names was taken
 *   meanwhile
 * @returns the result of `seal`, without the values
 * @throws ApiError too_large if the project would have too many secrets; conflict if names are taken again and again
 */
export async function takeIn<Result extends { secrets: FlowSecrets }>(
  context: Pick<ServerContext, 'db' | 'config' | 'ids' | 'clock'>,
  origin: EventContext,
  seal: (present: PresentSecrets) => Result | Promise<Result>,
): Promise<Omit<Result, 'secrets'> & { notes: Notes }> {
  const secrets = createProjectSecrets(context)

  /** @returns the names that exist then; null if a new one is taken */
  const keep = ({ added }: FlowSecrets) =>
    context.db
      .forProject(origin.projectId)
      .transaction()
      .execute(async (trx) => {
        await trx.selectFrom('projects').select('id').where('id', '=', origin.projectId).forUpdate().execute()
        const present = new Set(await secrets.namesOf(origin.projectId, trx))
        if (added.some(([name]) => present.has(name))) return null
        if (added.length > 0 && present.size + added.length > secretCaps.count)
          throw new ApiError('too_large', {
            message: `A project can have ${secretCaps.count} secrets, and each password and key in the flow becomes one.`,
          })
        await secrets.store(trx, origin, added)
        return new Set([...present, ...added.map(([name]) => name)])
      })

  for (let tried = 0; tried < TRIES; tried++) {
    const { secrets: found, ...result } = await seal(await secrets.presentOf(origin.projectId))
    const present = await keep(found)
    if (present) return { ...result, notes: notesOf(found, present) }
  }
  throw new ApiError('conflict', { message: 'Someone else is adding secrets to this project. Try again.' })
}

const notesOf = ({ added, named }: FlowSecrets, present: ReadonlySet<string>): Notes => [
  ...added.map(([name]) => ({
    level: 'info' as const,
    message: `A password or key was saved as the secret ${name}: nobody can read it in the flow.`,
  })),
  ...named
    .filter((name) => !present.has(name))
    .map((name) => ({
      level: 'warning' as const,
      message: `Create the secret ${name} in this project: files don't contain secret values.`,
    })),
]
