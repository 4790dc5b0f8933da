import { contactCaps, tooLong } from './caps'
import { contactPhoneRule, emailRule, type Rule, urlRule, userIdRule } from './rules'

/** Fields of a contact (SPEC.md 9, user info), in the order of forms. */
export const contactFields = [
  'name',
  'email',
  'phone',
  'user_id',
  'company',
  'job_title',
  'website',
  'industry',
  'address',
  'city',
  'state',
  'country',
  'zip',
] as const
export type ContactField = (typeof contactFields)[number]

/** Fields that identify a contact. */
export const contactKeys = ['email', 'phone', 'user_id'] as const satisfies readonly ContactField[]
export type ContactKey = (typeof contactKeys)[number]

const lengths: Record<ContactField, number> = {
  ...contactCaps,
  user_id: contactCaps.userId,
  job_title: contactCaps.jobTitle,
}

const rules: Partial<Record<ContactField, Rule>> = {
  email: emailRule,
  phone: contactPhoneRule,
  user_id: userIdRule,
  website: urlRule,
}

/** Caps of a project's custom fields; ours. */
export const customFieldCaps = { name: 50, value: 3_000, count: 50 } as const

/** The character cap of a field. */
export const contactFieldCap = (field: ContactField): number => lengths[field]

/**
 * Validates a text for a field, with the messages of SPEC.md 5; null if valid. An empty text is valid: it clears the
 * field.
 */
export function contactFieldProblem(field: ContactField, text: string): string | null {
  const value = text.trim()
  if (value.length > lengths[field]) return tooLong(lengths[field])
  const rule = rules[field]
  return value === '' || !rule || rule.test(value) ? null : rule.message
}
