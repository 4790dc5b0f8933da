import { sql } from 'kysely'
import type { Json } from '../../../../engine/values/json'
import type { Db } from '../../../platform/database/database'
import type { ConversationRef } from '../conversations/conversationRef'

interface Parts {
  db: { forProject: (id: string) => Db }
  programs: {
    variables: (
      projectId: string,
      versionId: string,
    ) => Promise<ReadonlyMap<string | null, readonly { id: string; name: string }[]>>
  }
  debugging: { setVariables: (ref: ConversationRef, values: Record<string, Json>) => Promise<unknown> }
}

/** A conversation's variables by their names, of the flow that it is in. */
export function createNamedVariables({ db, programs, debugging }: Parts) {
  async function read(ref: ConversationRef) {
    const run = await db
      .forProject(ref.project_id)
      .selectFrom('conversations')
      .innerJoin('runs', (join) =>
        join.onRef('runs.id', '=', 'conversations.run_id').onRef('runs.project_id', '=', 'conversations.project_id'),
      )
      .select(['runs.flow_version_id', 'runs.state', sql<string | null>`runs.session ->> 'flowId'`.as('flow')])
      .select(sql<Record<string, Json>>`runs.session -> 'variables'`.as('values'))
      .where('conversations.id', '=', ref.id)
      .where('conversations.project_id', '=', ref.project_id)
      .executeTakeFirst()
    if (!run?.flow_version_id) return null
    const variables = (await programs.variables(ref.project_id, run.flow_version_id)).get(run.flow) ?? []
    return { isOver: run.state === 'ended', variables, values: run.values }
  }

  return {
    /** Sets them: what the flow has not, and a conversation that is over, are passed over. */
    async setNamed(ref: ConversationRef, named: Readonly<Record<string, Json>>): Promise<void> {
      const run = await read(ref)
      if (!run || run.isOver) return
      const values = run.variables.flatMap(({ id, name }) => {
        const value = Object.hasOwn(named, name) ? named[name] : undefined
        return value === undefined ? [] : [[id, value] as const]
      })
      if (values.length > 0) await debugging.setVariables(ref, Object.fromEntries(values))
    },

    /** Those of the flow's own that have a value, also of a conversation that is over. */
    async namedOf(ref: ConversationRef): Promise<Record<string, Json>> {
      const run = await read(ref)
      const values = (run?.variables ?? []).flatMap(({ id, name }) => {
        const value = run?.values[id] ?? null
        return value === null || value === '' ? [] : [[name, value] as const]
      })
      return Object.fromEntries(values)
    },
  }
}
