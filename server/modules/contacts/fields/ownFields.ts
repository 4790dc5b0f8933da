import { customFieldCaps } from '../../../../engine/values/contactFields'
import { type CustomField, readCustomValue } from '../../../contracts/customFields'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'

/** The fields that a project described, in the order of their creation. */
export async function ownFieldsOf(db: Db, projectId: string): Promise<CustomField[]> {
  return db
    .selectFrom('contact_fields')
    .select(['gid', 'name', 'type', 'choices', 'in_table'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
}

/**
 * A contact's own fields after a member's change: those named are set, an empty text clears one, the others stay.
 * Values are of their field's type; one that was there already is left as it is.
 * @throws ApiError invalid, by the field's name
 */
export function withOwnValues(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
  fields: readonly CustomField[],
): Record<string, string> {
  const after: Record<string, string> = { ...before }
  const problems: Record<string, string> = {}
  for (const [name, text] of Object.entries(given)) {
    if (Object.hasOwn(before, name) && before[name] === text) continue
    const read = readCustomValue(fields.find((each) => each.name === name) ?? { type: 'text', choices: [] }, text)
    if ('problem' in read) problems[`custom.${name}`] = read.problem
    else if (read.value === '') delete after[name]
    else after[name] = read.value
  }
  if (Object.keys(after).length > customFieldCaps.count) problems.custom = 'There are too many fields.'
  if (Object.keys(problems).length > 0) throw new ApiError('invalid', { fields: problems })
  return after
}
