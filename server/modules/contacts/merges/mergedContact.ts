import type { Selectable } from 'kysely'
import { contactFields, contactKeys } from '../../../../engine/values/contactFields'
import { CUSTOM } from '../../../contracts/contactFilter'
import type { ContactsTable, Merged } from '../tables'

export type ContactRow = Selectable<ContactsTable>

export const aliasOf = (field: (typeof contactKeys)[number], value: string): string =>
  `${field}:${field === 'email' ? value.toLowerCase() : value}`

/**
 * A contact after another was merged into it: its own values, what it lacks from the other, and from the other what was
 * chosen. Addresses that are not kept become aliases. Whoever is blocked stays so.
 */
export function mergedContact(into: ContactRow, from: ContactRow, take: readonly string[]): Merged {
  const chosen = new Set(take)
  const fields = Object.fromEntries(
    contactFields.map((field) => [
      field,
      chosen.has(field) ? (from[field] ?? into[field]) : (into[field] ?? from[field]),
    ]),
  ) as Pick<ContactRow, (typeof contactFields)[number]>
  const custom = { ...from.custom, ...into.custom }
  for (const [name, value] of Object.entries(from.custom)) if (chosen.has(CUSTOM + name)) custom[name] = value
  const aliases = new Set([...into.aliases, ...from.aliases])
  for (const field of contactKeys)
    for (const value of [into[field], from[field]])
      if (value && aliasOf(field, value) !== aliasOf(field, fields[field] ?? '')) aliases.add(aliasOf(field, value))
  return {
    ...fields,
    custom,
    tags: [...new Set([...into.tags, ...from.tags])],
    aliases: [...aliases],
    blocked: into.blocked || from.blocked,
    test: into.test && from.test,
    verified_id: into.verified_id ?? from.verified_id,
  }
}

/**
 * The contact that stayed, as it was before: each value that nobody has changed since the merge. Of lists and own
 * fields what came by the merge goes, what came later stays.
 */
export function unmergedContact(now: ContactRow, before: Merged, after: Merged): Merged {
  const values = { ...before } as Merged
  for (const field of [...contactFields, 'blocked', 'test', 'verified_id'] as const)
    if (now[field] !== after[field]) Object.assign(values, { [field]: now[field] })
  const custom: Record<string, string> = { ...now.custom }
  for (const name of new Set([...Object.keys(before.custom), ...Object.keys(after.custom)])) {
    if (now.custom[name] !== after.custom[name]) continue
    const value = before.custom[name]
    if (value === undefined) delete custom[name]
    else custom[name] = value
  }
  const without = (list: 'tags' | 'aliases') => {
    const added = new Set(after[list].filter((each) => !before[list].includes(each)))
    return now[list].filter((each) => !added.has(each))
  }
  return { ...values, custom, tags: without('tags'), aliases: without('aliases') }
}
