import type { Kysely } from 'kysely'
import { cleanText } from '../../engine/values/cleanText'
import { freeSecretName } from '../../engine/values/secrets'
import type { ServerContext } from '../context'
import type { Database } from '../storage/tables'
import { createSecrets } from './secrets'

type Parts = Pick<ServerContext, 'db' | 'config' | 'ids' | 'clock'>
interface Place {
  gid: string
  project_id: string
}

/** The secrets of projects that flows refer to by name: sealed where they lie, opened for a call that is about to be sent. */
export function createProjectSecrets({ db, config, ids, clock }: Parts) {
  const secrets = createSecrets(config)
  const placeOf = ({ gid, project_id }: Place) => ({ projectId: project_id, row: `project_secrets/${gid}` })

  const seal = (value: string, place: Place): string => secrets.seal(value, placeOf(place))

  /** By name, those that there are and that can be opened; all of them unless names are given. */
  async function valuesOf(
    projectId: string,
    names?: readonly string[],
    within: Kysely<Database> = db,
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

  async function namesOf(projectId: string, within: Kysely<Database> = db): Promise<string[]> {
    const rows = await within
      .selectFrom('project_secrets')
      .select('name')
      .where('project_id', '=', projectId)
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }

  return {
    valuesOf,

    seal,

    /** The names of all, also of those that can't be opened any more. */
    namesOf,

    /** Likewise, for the checker. */
    presentIn: async (projectId: string): Promise<ReadonlySet<string>> => new Set(await namesOf(projectId)),

    /**
     * For moving values out of flows: `save` gives a value's name at once, one that it has already or a new one, and `store` writes the
     * new ones. Who calls holds the project's row, so that nobody takes a name meanwhile.
     */
    async collector(trx: Kysely<Database>, projectId: string, userId: string | null) {
      const taken = new Set(await namesOf(projectId, trx))
      const known = new Map(Array.from(await valuesOf(projectId, undefined, trx), ([name, value]) => [value, name]))
      const added = new Map<string, string>()
      return {
        save(value: string, wanted: string): string {
          const fitted = cleanText(value)
          const present = known.get(fitted)
          if (present !== undefined) return present
          const name = freeSecretName(wanted, (candidate) => taken.has(candidate))
          taken.add(name)
          known.set(fitted, name)
          added.set(name, fitted)
          return name
        },
        /** @returns the names of those that are new */
        async store(): Promise<string[]> {
          const at = clock()
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
                changed_by: userId,
                changed_at: at,
              })
              .execute()
          }
          const names = [...added.keys()]
          added.clear()
          return names
        },
      }
    },
  }
}

export type ProjectSecrets = ReturnType<typeof createProjectSecrets>
