import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/auditLog'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { disposition } from '../../platform/files/disposition'
import { presentEntries } from './presentEntries'

/** Entries that an export reads at a time. */
const READ = 1_000

/** Routes of a project's audit log. */
export function registerAuditLog(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, contract.listAuditLog, async ({ caller, query }) => {
    const { db } = caller
    const { before, person, subject } = query
    const rows = await within(entriesOf(db), query)
      .$if(before !== undefined, (entries) => entries.where('seq', '<', String(before)))
      .$if(person !== undefined, (entries) => entries.where('person', '=', person ?? ''))
      .$if(subject !== undefined, (entries) => entries.where(sql<boolean>`split_part(type, '.', 1) = ${subject}`))
      .orderBy('seq', 'desc')
      .limit(contract.AUDIT_SHOWN + 1)
      .execute()
    const shown = rows.slice(0, contract.AUDIT_SHOWN)
    return { entries: await presentEntries(db, shown), more: rows.length > shown.length }
  })

  registerRoute(app, context, contract.checkAuditLog, async ({ caller: { db, project } }) => {
    const { rows } = await sql<{ entries: number; broken: string | null; hash: string | null }>`
      with chain as (
        select seq, hash,
          hash = audit_hash(lag(hash) over (order by seq), entry) and seq = row_number() over (order by seq) as fits
        from audit_entries as entry where project_id = ${project.id})
      select count(*)::int as entries, min(seq) filter (where not fits) as broken,
        encode((array_agg(hash order by seq desc))[1], 'hex') as hash
      from chain`.execute(db)
    const [{ entries, broken, hash } = { entries: 0, broken: null, hash: null }] = rows
    return { entries, broken: broken === null ? null : Number(broken), hash }
  })

  registerRoute(app, context, contract.exportAuditLog, async ({ caller: { db, project }, query, reply }) => {
    const name = `audit-log-${context.clock().toISOString().slice(0, 10)}.jsonl`
    reply.headers({
      'content-type': 'application/x-ndjson',
      'content-disposition': disposition('attachment', name),
      'x-content-type-options': 'nosniff',
    })
    return reply.send(Readable.from(linesOf(db, project.id, query)))
  })
}

const entriesOf = (db: ProjectDb) => db.selectFrom('audit_entries').selectAll()

const DAY = 86_400_000
function within(
  entries: ReturnType<typeof entriesOf>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): ReturnType<typeof entriesOf> {
  return entries
    .$if(from !== undefined, (some) => some.where('at', '>=', new Date(Date.parse(from ?? ''))))
    .$if(to !== undefined, (some) => some.where('at', '<', new Date(Date.parse(to ?? '') + DAY)))
}

/** The log's lines: an entry, the hash of the one before, and the very text that its own hash is made of. */
async function* linesOf(
  db: ProjectDb,
  projectId: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): AsyncGenerator<string> {
  const since = from === undefined ? null : new Date(Date.parse(from))
  const until = to === undefined ? null : new Date(Date.parse(to) + DAY)
  for (let last = '0'; ; ) {
    const { rows } = await sql<{ seq: string; line: string }>`
      select seq, jsonb_build_object('seq', seq, 'at', at, 'type', type, 'person', person, 'address', address, 'call', correlation,
        'payload', payload, 'chatbot', chatbot, 'changes', changes, 'previous', encode(previous, 'hex'),
        'hash', encode(hash, 'hex'), 'hashed', hashed)::text as line
      from (
        select entry.*, audit_text(before.hash, entry) as hashed, before.hash as previous
        from audit_entries as entry
          left join audit_entries as before on before.project_id = entry.project_id and before.seq = entry.seq - 1
        where entry.project_id = ${projectId} and entry.seq > ${last}
          and (${since}::timestamptz is null or entry.at >= ${since})
          and (${until}::timestamptz is null or entry.at < ${until})
        order by entry.seq limit ${READ}) as page
      order by seq`.execute(db)
    yield rows.map(({ line }) => `${line}\n`).join('')
    if (rows.length < READ) return
    last = rows.at(-1)?.seq ?? last
  }
}
