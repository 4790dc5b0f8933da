import { contactFields } from '../../../../engine/values/contactFields'
import { CUSTOM } from '../../../../server/contracts/contactFilter'
import type { ImportColumn, ImportMapping } from '../../../../server/contracts/contactImports'
import type { CustomField } from '../../../../server/contracts/customFields'

/** What columns of other products are called. */
const alike: Readonly<Record<string, string>> = {
  fullname: 'name',
  contactname: 'name',
  mail: 'email',
  emailaddress: 'email',
  phonenumber: 'phone',
  mobile: 'phone',
  telephone: 'phone',
  id: 'user_id',
  externalid: 'user_id',
  organization: 'company',
  organisation: 'company',
  companyname: 'company',
  title: 'job_title',
  url: 'website',
  street: 'address',
  region: 'state',
  zipcode: 'zip',
  postalcode: 'zip',
  postcode: 'zip',
  tag: 'tags',
  labels: 'tags',
}
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A mapping by the columns' names, each field once; columns of our own exports find their fields again. */
export function guessMapping(columns: readonly ImportColumn[], own: readonly CustomField[]): ImportMapping {
  const known = new Map<string, string>([
    ...Object.entries(alike),
    ['tags', 'tags'],
    ...contactFields.map((field) => [plain(field), field] as const),
    ...own.map(({ name }) => [plain(name), CUSTOM + name] as const),
  ])
  const used = new Set<string>()
  const targets = columns.map(({ name }) => {
    // exports write own fields so (server/modules/exports)
    const target = name.startsWith(': ') ? CUSTOM + name.slice(2) : (known.get(plain(name)) ?? '')
    if (target === '' || used.has(target)) return ''
    used.add(target)
    return target
  })
  const key = (['email', 'phone', 'user_id'] as const).find((field) => used.has(field)) ?? 'none'
  return { columns: targets, key, on_duplicate: 'update', tags: [] }
}
