import type { Kysely, Transaction } from 'kysely'
import { gatherSecrets, type PresentSecrets } from '../../../engine/values/secrets'
import type { ServerContext } from '../../platform/context'
import type { Database } from '../../platform/database/tables'
import { appendEvent, type EventContext, userOf } from '../../platform/events/defineEvent'
import { createSecrets } from '../../platform/secrets/secrets'
import { secretCreated } from './events'

type Parts = Pick<ServerContext, 'db' | 'config' | 'ids' | 'clock'>
interface Place {
  gid: string
  project_id: string
}

/** Projects' secrets that flows refer to by name: stored encrypted, decrypted for a call that is about to be sent. */
export function createProjectSecrets({ db, config, ids, clock }: Parts) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Place) => ({ projectId: project_id, row: `project_secrets/${gid}` })

  const seal = (value: string, place: Place): string => secrets.seal(value, placeOf(place))

  /** By name, those that exist and can be decrypted; all unless names are given. */
  async function valuesOf(
    projectId: string,
    names?: readonly string[],
    within: Kysely<Database> = db.forProject(projectId),
  ): Promise<Map<string, string>> {
    const rows = await within
      .selectFrom('project_secrets')
      .select(['gid', 'project_id', 'name', 'sealed_value'])
      .where('project_id', '=', projectId)
      .$if(names !== undefined, (one) => one.where('name', 'in', names?.length ? names : ['']))
      .execute()
    return new Map(
      rows.flatMap((row) => {
        const value = secrets.open(row.sealed_value, placeOf(row))
        return value === null ? [] : [[row.name, value] as const]
      }),
    )
  }

  async function namesOf(projectId: string, within: Kysely<Database> = db.forProject(projectId)): Promise<string[]> {
    const rows = await within
      .selectFrom('project_secrets')
      .select('name')
      .where('project_id', '=', projectId)
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }

  async function presentOf(
    projectId: string,
    within: Kysely<Database> = db.forProject(projectId),
  ): Promise<PresentSecrets> {
    const [names, values] = [await namesOf(projectId, within), await valuesOf(projectId, undefined, within)]
    return { names, values: Array.from(values, ([name, value]) => [value, name] as const) }
  }

  /** Stores secrets under unused names: the caller has locked the project's row, so that nobody takes one meanwhile. */
  async function store(
    trx: Transaction<Database>,
    origin: EventContext,
    added: Iterable<readonly [name: string, value: string]>,
  ): Promise<void> {
    const at = clock()
    const { projectId } = origin
    for (const [name, value] of added) {
      const gid = ids()
      await trx
        .insertInto('project_secrets')
        .values({
          gid,
          project_id: projectId,
          name,
          sealed_value: seal(value, { gid, project_id: projectId }),
          created_at: at,
          changed_by: userOf(origin),
          changed_at: at,
        })
        .execute()
      await appendEvent(trx, secretCreated, origin, { secret: gid, name })
    }
  }

  return {
    valuesOf,

    seal,

    store,

    /** The names of all, including those that can't be decrypted. */
    namesOf,

    /** The same, for the checker. */
    presentIn: async (projectId: string): Promise<ReadonlySet<string>> => new Set(await namesOf(projectId)),

    /** The data for sealing flows. */
    presentOf,

    /** For sealing flows within one transaction: `save` as in gatherSecrets; `store` writes the new ones. */
    async collector(trx: Transaction<Database>, origin: EventContext) {
      const { save, added } = gatherSecrets(await presentOf(origin.projectId, trx))
      return { save, store: () => store(trx, origin, added) }
    },
  }
}

export type ProjectSecrets = ReturnType<typeof createProjectSecrets>
