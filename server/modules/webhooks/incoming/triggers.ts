import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { callHook, type HookState } from '../../../contracts/webhookTriggers'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { createSecrets } from '../../../platform/secrets/secrets'
import type { WebhookTriggersTable } from '../tables'

export type TriggerRow = Selectable<WebhookTriggersTable>
type Place = Pick<TriggerRow, 'project_id' | 'chatbot_id' | 'block_id'>

const TOKEN_BYTES = 24

/** The addresses of triggers: made when they are first asked for, replaced, signed. */
export function createTriggers(context: Pick<ServerContext, 'db' | 'config' | 'clock' | 'ids'>) {
  const { config, clock, ids } = context
  const secrets = createSecrets(config)
  const placeOf = (row: Pick<TriggerRow, 'project_id' | 'gid'>, what: 'token' | 'secret') => ({
    projectId: row.project_id,
    row: `webhook_triggers/${row.gid}/${what}`,
  })

  function newToken(row: Pick<TriggerRow, 'project_id' | 'gid'>) {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    return { token_hash: hashToken(token), sealed_token: secrets.seal(token, placeOf(row, 'token')) }
  }

  return {
    /** A trigger's row; made if it is not there. */
    async open(db: ProjectDb, place: Place): Promise<TriggerRow> {
      const find = () =>
        db
          .selectFrom('webhook_triggers')
          .selectAll()
          .where('chatbot_id', '=', place.chatbot_id)
          .where('block_id', '=', place.block_id)
          .executeTakeFirst()
      const known = await find()
      if (known) return known
      const row = { ...place, gid: ids() }
      await db
        .insertInto('webhook_triggers')
        .values({ ...row, ...newToken(row), created_at: clock() })
        .onConflict((conflict) => conflict.columns(['chatbot_id', 'block_id']).doNothing())
        .execute()
      return (await find()) as TriggerRow
    },

    /** Gives it another address. */
    renew: (work: ProjectWork, row: TriggerRow) => change(work, row, newToken(row)),

    /** Has its calls signed, with a new secret, or no more. */
    async sign(
      work: ProjectWork,
      row: TriggerRow,
      signed: boolean,
    ): Promise<{ row: TriggerRow; secret: string | null }> {
      const secret = signed ? randomBytes(32).toString('base64url') : null
      const sealed_secret = secret === null ? null : secrets.seal(secret, placeOf(row, 'secret'))
      return { row: await change(work, row, { sealed_secret }), secret }
    },

    forget: (db: ProjectDb, row: TriggerRow) => change(db, row, { sample: null, sample_at: null }),

    /** What its calls are signed with; null: nothing; undefined: a secret that can't be read. */
    secretOf: (row: TriggerRow): string | null | undefined =>
      row.sealed_secret === null ? null : (secrets.open(row.sealed_secret, placeOf(row, 'secret')) ?? undefined),

    /** The trigger of an address, of any project. */
    find: (token: string): Promise<TriggerRow | undefined> =>
      context.db
        .selectFrom('webhook_triggers')
        .selectAll()
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst(),

    present(row: TriggerRow): HookState {
      const token = secrets.open(row.sealed_token, placeOf(row, 'token')) ?? ''
      return {
        url: config.publicUrl + callHook.path.replace(':token', token),
        signed: row.sealed_secret !== null,
        sample: row.sample,
        sample_at: row.sample_at?.toISOString() ?? null,
        called_at: row.called_at?.toISOString() ?? null,
        problem: row.problem,
      }
    },
  }

  async function change(
    db: ProjectDb | ProjectWork,
    row: TriggerRow,
    values: Partial<TriggerRow>,
  ): Promise<TriggerRow> {
    await db.updateTable('webhook_triggers').set(values).where('id', '=', row.id).execute()
    return { ...row, ...values }
  }
}

export type Triggers = ReturnType<typeof createTriggers>

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
