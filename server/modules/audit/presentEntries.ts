import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../contracts/auditLog'
import type { ProjectDb } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'

type Row = Selectable<Database['audit_entries']>

/** Entries as people read them, with the names of those who did it and to whom, as far as their accounts are there. */
export async function presentEntries(db: ProjectDb, rows: readonly Row[]): Promise<AuditEntry[]> {
  const people = await namesOf(db, rows)
  return rows.map(({ seq, at, type, person, address, correlation, payload, chatbot, changes, hash }) => ({
    seq: Number(seq),
    at: at.toISOString(),
    type,
    person: person === null ? null : { gid: person, name: people.get(person) ?? null },
    address,
    call: correlation,
    about: aboutOf(payload, people),
    chatbot,
    payload,
    changes,
    hash: hash.toString('hex'),
  }))
}

/** What payloads have as a name of their subject; of a member, the account that it names. */
function aboutOf(payload: Row['payload'], people: ReadonlyMap<string, string>): string | null {
  for (const key of ['name', 'title', 'hostname', 'email', 'url']) {
    const value = payload[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return typeof payload.user === 'string' ? (people.get(payload.user) ?? null) : null
}

/** Names of present and former members by their gids and by their database ids, which payloads have. */
async function namesOf(db: ProjectDb, rows: readonly Row[]): Promise<Map<string, string>> {
  const gids = [...new Set(rows.flatMap(({ person }) => person ?? []))]
  const ids = [
    ...new Set(rows.flatMap(({ payload }) => (/^\d{1,18}$/.test(String(payload.user)) ? [String(payload.user)] : []))),
  ]
  if (gids.length + ids.length === 0) return new Map()
  const users = await db
    .selectFrom('users')
    .select(['id', 'gid', 'first_name', 'last_name'])
    .where((eb) => eb.or([eb('gid', 'in', [...gids, '']), eb('id', 'in', [...ids, '0'])]))
    .execute()
  return new Map(
    users.flatMap(({ id, gid, first_name, last_name }) => {
      const name = `${first_name} ${last_name}`.trim()
      return [
        [id, name],
        [gid, name],
      ] as const
    }),
  )
}
